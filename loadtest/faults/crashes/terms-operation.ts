import {
  getLocation,
  hiddenFields,
  logIn,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
} from '../../../services/provider-auth/test/browser.ts'
import type { FaultSite } from '../site.ts'
import type { FaultOperation } from './fault-case.ts'
import { authorizeUrl, findUser, maskLogins, readResult, withTimeout } from './login-operations.ts'

const documents = [
  { name: 'terms', kind: 'required', version: 1, texts: { en: { title: 'Terms', url: null } } },
  { name: 'newsletter', kind: 'optional', version: 1, texts: { en: { title: 'Newsletter', url: null } } },
]

/** The form with which an end user accepts the terms of a site. The browser sends it again after a fault; at worst, the user logs in again. */
export const termsOperation: FaultOperation = {
  name: 'answer_terms',
  participants: ['provider-auth', 'identity', 'profile'],
  async prepare({ other, ...site }, tag) {
    const inOther = { ...site, other, demo: other }
    await requireTerms(inOther)
    const browser = openTestBrowser()
    const address = authorizeUrl(inOther, 'code')
    const callback = await submitProviderSignIn(browser, await openRedirect(browser, address), { user: tag })
    const page = await openRedirect(browser, callback)
    const fields = hiddenFields(await (await browser.open(page)).text())
    const form = new URL(page)
    form.search = ''
    const send = async (): Promise<string> => {
      const response = await browser.open(form.href, { ...fields, decision: 'accept', accept_terms: 'yes' })
      // The login has ended, and its response was lost.
      if (response.status === 400) return (await logIn(openTestBrowser(), address, { user: tag })).href
      return getLocation(response)
    }
    return {
      users: [],
      async attempt() {
        try {
          return readResult(await withTimeout(send()))
        } catch {
          return undefined // reset, refused, timed out, or an error page
        }
      },
      findUsers: () => findUser(inOther, tag),
      mask: maskLogins,
    }
  },
}

async function requireTerms({ admin, demo }: FaultSite): Promise<void> {
  const path = `/sites/${demo.site_id}/terms`
  const { body, etag } = await admin.send('GET', path)
  if (body.includes('newsletter')) return
  const { status } = await admin.send('PUT', path, { documents }, { 'if-match': etag })
  if (status !== 200) throw new Error(`${path} returned ${status}.`)
}
