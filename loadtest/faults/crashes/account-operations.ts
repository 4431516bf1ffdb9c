import { hiddenFields, logIn, openTestBrowser, type TestBrowser } from '../../../services/provider-auth/test/browser.ts'
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
  readonly fill: (browser: TestBrowser, login: { site: FaultSite; user: string; openPage: OpenPage }) => Promise<Form>
}

/** A form of the account page. The browser sends it again after a fault. */
function accountOperation({ name, place, fill }: AccountForm): FaultOperation {
  return {
    name,
    participants: ['provider-auth', 'identity'],
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
      const form = await fill(browser, { site: inOther, user: tag, openPage })
      const send = async () => {
        const { status, headers } = await browser.open(addressOf(place), form)
        // A form that is rejected can lead back to itself.
        const { pathname } = new URL(headers.get('location') ?? '', site.auth)
        return status === 303 && pathname === '/account' ? { status, body: '' } : undefined
      }
      return toFormRequest(send, inOther, tag)
    },
  }
}

export const accountOperations: readonly FaultOperation[] = [
  accountOperation({
    name: 'end_session',
    place: '/end-session',
    async fill(browser, { site, user, openPage }) {
      for (const one of [openTestBrowser(), browser]) await logIn(one, authorizeUrl(site, 'code'), { user })
      const page = await openPage('')
      const session = /name="session" value="([^"]+)"/.exec(page)?.[1]
      if (session === undefined) throw new Error(`The page has no other session: ${page}`)
      return { ...hiddenFields(page), session }
    },
  }),
  accountOperation({
    name: 'remove_access',
    place: '/application',
    async fill(browser, { site, user, openPage }) {
      // With an ID Token, the application has received data.
      await logIn(browser, authorizeUrl(site, 'id_token'), { user })
      const [{ client_id }] = site.demo.clients
      return hiddenFields(await openPage(`/application?client_id=${client_id}`))
    },
  }),
  accountOperation({
    name: 'request_deletion',
    place: '/delete',
    async fill(browser, { site, user, openPage }) {
      await logIn(browser, authorizeUrl(site, 'id_token'), { user })
      return hiddenFields(await openPage('/delete'))
    },
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
