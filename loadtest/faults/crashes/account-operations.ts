import { setTimeout as delay } from 'node:timers/promises'
import type { EndUserActionName } from '#contracts'
import {
  hiddenFields,
  logIn,
  openTestBrowser,
  submitProviderSignIn,
  type TestBrowser,
} from '../../../services/provider-auth/test/browser.ts'
import type { Answer } from '../client.ts'
import type { FaultSite } from '../site.ts'
import type { FaultOperation } from './fault-case.ts'
import { authorizeUrl, toFormRequest } from './login-operations.ts'

type Form = Readonly<Record<string, string>>
type OpenPage = (place: string) => Promise<string>

interface AccountForm {
  readonly name: string
  /** Where the form is sent, after the address of the account page. */
  readonly place: string
  /** Logs the end user in, and fills the form. */
  readonly fill: (browser: TestBrowser, login: Login) => Promise<Form>
  /** Which services report the action: faults also meet the report, for which the end user does not wait. */
  readonly reports?: { readonly action: EndUserActionName; readonly participants: readonly string[] }
}

interface Login {
  readonly site: FaultSite
  readonly user: string
  readonly openPage: OpenPage
  readonly addressOf: (place: string) => string
}

/** A form of the account page. The browser sends it again after a fault. */
function accountOperation({ name, place, fill, reports }: AccountForm): FaultOperation {
  return {
    name,
    participants: reports?.participants ?? ['provider-auth', 'identity'],
    async prepare({ other, ...site }, tag) {
      const inOther = { ...site, other, demo: other }
      await requireAccountPage(inOther)
      const browser = openTestBrowser()
      const addressOf = (path: string) => {
        const address = new URL(`${site.auth}/account${path}`)
        address.searchParams.set('site', `${other.account}/${other.site_id}`)
        return address.href
      }
      const openPage = async (path: string) => (await browser.open(addressOf(path))).text()
      const form = await fill(browser, { site: inOther, user: tag, openPage, addressOf })
      let answer: Answer | undefined
      const send = async () => {
        answer ??= await submit()
        if (answer !== undefined && reports !== undefined) await whenInAuditTrail(inOther, tag, reports.action)
        return answer
      }
      const submit = async () => {
        const { status, headers } = await browser.open(addressOf(place), form)
        if (headers.has('content-disposition')) return { status, body: 'file' }
        // A form that is rejected can lead back to itself.
        const { pathname } = new URL(headers.get('location') ?? '', site.auth)
        return status === 303 && pathname === '/account' ? { status, body: '' } : undefined
      }
      return toFormRequest(send, inOther, tag)
    },
  }
}

const pollMs = 100
/** A job that meets a fault runs again within this time. */
const reportMs = 10_000

/** Waits until the audit trail has an action of the user; without it, the states of the cases differ. */
async function whenInAuditTrail({ databases }: FaultSite, tag: string, action: EndUserActionName): Promise<void> {
  const link = await databases.identity('links').where('provider_user_id', 'like', `${tag}%`).first('identifier')
  for (const until = performance.now() + reportMs; performance.now() < until; await delay(pollMs)) {
    const entries = databases.console('audit_entries').where({ action }).whereNotNull('action_id')
    if (await entries.whereRaw(`after ->> 'identifier' = ?`, [link?.identifier ?? '']).first('entry')) return
  }
}

const endSession: AccountForm = {
  name: 'end_session',
  place: '/end-session',
  async fill(browser, { site, user, openPage }) {
    for (const one of [openTestBrowser(), browser]) await logIn(one, authorizeUrl(site, 'code'), { user })
    const page = await openPage('')
    const session = /name="session" value="([^"]+)"/.exec(page)?.[1]
    if (session === undefined) throw new Error(`The page has no other session: ${page}`)
    return { ...hiddenFields(page), session }
  },
}

const removeAccess: AccountForm = {
  name: 'remove_access',
  place: '/application',
  async fill(browser, { site, user, openPage }) {
    // With an ID Token, the application has received data.
    await logIn(browser, authorizeUrl(site, 'id_token'), { user })
    const [{ client_id }] = site.demo.clients
    return hiddenFields(await openPage(`/application?client_id=${client_id}`))
  },
}

const removeAccount: AccountForm = {
  name: 'remove_account',
  place: '/remove',
  async fill(browser, { site, user, openPage, addressOf }) {
    await logIn(browser, authorizeUrl(site, 'id_token'), { user })
    const add = { ...hiddenFields(await openPage('/add')), provider: 'messaging' }
    const started = await browser.open(addressOf('/add'), add)
    const atProvider = started.headers.get('location') ?? ''
    await browser.open(await submitProviderSignIn(browser, atProvider, { user: `${user}-messaging` }))
    return hiddenFields(await openPage('/remove?provider=messaging'))
  },
}

/** A form of a page that an end user opens after a login. */
const formOf = (name: string, page: string): AccountForm => ({
  name,
  place: page,
  async fill(browser, { site, user, openPage }) {
    await logIn(browser, authorizeUrl(site, 'id_token'), { user })
    return hiddenFields(await openPage(page))
  },
})

const requestDeletion = formOf('request_deletion', '/delete')

const cancelDeletion: AccountForm = {
  name: 'cancel_deletion',
  place: '/keep',
  async fill(browser, { addressOf, openPage, ...login }) {
    const form = await requestDeletion.fill(browser, { addressOf, openPage, ...login })
    await browser.open(addressOf('/delete'), form)
    return hiddenFields(await openPage(''))
  },
}

const ofIdentity = ['identity', 'console']
const ofProviderAuth = ['provider-auth', 'console']

export const accountOperations: readonly FaultOperation[] = [
  accountOperation(endSession),
  accountOperation(removeAccess),
  accountOperation(removeAccount),
  accountOperation(requestDeletion),
  accountOperation(cancelDeletion),
  accountOperation(formOf('download_data', '/download')),
  accountOperation({
    ...requestDeletion,
    name: 'report_deletion',
    reports: { action: 'requestOwnDeletion', participants: ofIdentity },
  }),
  accountOperation({
    ...removeAccess,
    name: 'report_removed_access',
    reports: { action: 'removeOwnAccess', participants: ofProviderAuth },
  }),
]

async function requireAccountPage({ admin, demo }: FaultSite): Promise<void> {
  const path = `/sites/${demo.site_id}/account-page`
  const { body, etag } = await admin.send('GET', path)
  if (body.includes('"deletion_waiting_days":30')) return
  const settings = { enabled: true, deletion_waiting_days: 30 }
  const { status } = await admin.send('PUT', path, settings, { 'if-match': etag })
  if (status !== 200) throw new Error(`${path} returned ${status}.`)
}
