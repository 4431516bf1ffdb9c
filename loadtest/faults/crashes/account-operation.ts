import { hiddenFields, logIn, openTestBrowser } from '../../../services/provider-auth/test/browser.ts'
import type { FaultSite } from '../site.ts'
import type { FaultOperation } from './fault-case.ts'
import { authorizeUrl, toFormRequest } from './login-operations.ts'

/** The form with which an end user ends a session in another browser. The browser sends it again after a fault. */
export const endSessionOperation: FaultOperation = {
  name: 'end_session',
  participants: ['provider-auth', 'identity'],
  async prepare({ other, ...site }, tag) {
    const inOther = { ...site, other, demo: other }
    await requireAccountPage(inOther)
    const address = authorizeUrl(inOther, 'code')
    const browser = openTestBrowser()
    for (const one of [openTestBrowser(), browser]) await logIn(one, address, { user: tag })
    const addressOf = (path: string) => `${site.auth}/account${path}?site=${other.account}/${other.site_id}`
    const page = await (await browser.open(addressOf(''))).text()
    const session = /name="session" value="([^"]+)"/.exec(page)?.[1]
    if (session === undefined) throw new Error(`The page has no other session: ${page}`)
    const form = { ...hiddenFields(page), session }
    const send = async () => {
      const { status } = await browser.open(addressOf('/end-session'), form)
      return status === 303 ? { status, body: '' } : undefined
    }
    return toFormRequest(send, inOther, tag)
  },
}

async function requireAccountPage({ admin, demo }: FaultSite): Promise<void> {
  const path = `/sites/${demo.site_id}/account-page`
  const { body, etag } = await admin.send('GET', path)
  if (body.includes('"enabled":true')) return
  const { status } = await admin.send('PUT', path, { enabled: true }, { 'if-match': etag })
  if (status !== 200) throw new Error(`${path} returned ${status}.`)
}
