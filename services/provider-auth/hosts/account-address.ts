import type { Deps } from '../deps.ts'
import type { AccountRequest } from '../domain/account-request.ts'
import type { HostOwner } from '../domain/hosts.ts'
import { accountPath } from '../uris.ts'

/** Where a page of the account page is. */
export type AccountPlace = Pick<AccountRequest, 'place'> & { readonly subject?: string | null }

/** Builds addresses of the account page of a site. */
export type BuildAccountAddress = (page: AccountPlace | { readonly action: string }) => string

const paths = {
  overview: '',
  add: '/add',
  remove: '/remove',
  end_others: '/end-others',
  application: '/application',
  download: '/download',
  delete: '/delete',
} as const

/** The parameter that says what a page is about. */
export function nameSubject(place: AccountRequest['place']): 'client_id' | 'provider' {
  return place === 'application' ? 'client_id' : 'provider'
}

/** Creates what builds addresses on the host that was called. Only on the installation's own host, they name the site. */
export async function createAccountAddresses(
  { account, site_id }: Pick<HostOwner, 'account' | 'site_id'>,
  { hosts, auth_url }: Pick<Deps, 'hosts' | 'auth_url'>,
): Promise<BuildAccountAddress> {
  const isShared = (await hosts.locate(new URL(auth_url).hostname)).kind === 'shared'
  return (page) => {
    const path = 'action' in page ? `/${page.action}` : paths[page.place]
    const query = new URLSearchParams()
    if (isShared) query.set('site', `${account}/${site_id}`)
    if ('place' in page && page.subject != null) query.set(nameSubject(page.place), page.subject)
    const text = query.toString().replaceAll('%2F', '/')
    return new URL(auth_url + accountPath + path + (text === '' ? '' : `?${text}`)).href
  }
}
