import {
  getLocation,
  hiddenFields,
  logIn,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
} from '../../../services/provider-auth/test/browser.ts'
import type { Answer } from '../client.ts'
import type { FaultSite } from '../site.ts'
import type { FaultOperation } from './fault-case.ts'
import { authorizeUrl, readResult, toFormRequest } from './login-operations.ts'

const documents = [
  { name: 'terms', kind: 'required', version: 1, texts: { en: { title: 'Terms', url: null } } },
  { name: 'newsletter', kind: 'optional', version: 1, texts: { en: { title: 'Newsletter', url: null } } },
]

/**
 * The form with which an end user accepts the terms of a site. The browser sends it again after a fault; if the login has ended
 * without a response, or with an error, the user logs in again.
 */
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
    let hasEnded = false
    const send = async (): Promise<Answer | undefined> => {
      if (hasEnded) return readResult((await logIn(openTestBrowser(), address, { user: tag })).href)
      const response = await browser.open(form.href, { ...fields, decision: 'accept', accept_terms: 'yes' })
      const result = response.status === 302 ? readResult(getLocation(response)) : undefined
      hasEnded = result === undefined && response.status < 500
      return result
    }
    return toFormRequest(send, inOther, tag)
  },
}

async function requireTerms({ admin, demo }: FaultSite): Promise<void> {
  const path = `/sites/${demo.site_id}/terms`
  const { body, etag } = await admin.send('GET', path)
  if (body.includes('newsletter')) return
  const { status } = await admin.send('PUT', path, { documents }, { 'if-match': etag })
  if (status !== 200) throw new Error(`${path} returned ${status}.`)
}
