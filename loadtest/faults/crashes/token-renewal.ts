import { logIn, openTestBrowser } from '../../../services/provider-auth/test/browser.ts'
import { sendOnce } from '../client.ts'
import type { FaultOperation } from './fault-case.ts'
import { authorizeUrl, maskLogins, readLoginResult, readSubject } from './login-operations.ts'

/** Reads credentials whose access token has expired, so that it is renewed at the provider. */
export const tokenRenewal: FaultOperation = {
  name: 'token_renewal',
  participants: ['provider-auth', 'api-gateway'],
  // The lock of a killed replica ends after 20 seconds. A renewal continues after its request was answered.
  resumedAfterMs: 10_000,
  async prepare(site, tag) {
    const location = await logIn(openTestBrowser(), authorizeUrl(site, 'id_token'), { user: tag })
    const identifier = readSubject(readLoginResult(location).get('id_token') ?? '')
    await site.expireTokens(identifier)
    const url = `${site.web_api}/user_attribute?identifier=${identifier}`
    return {
      users: [identifier],
      async attempt() {
        const answer = await sendOnce(url, { authorization: `Bearer ${site.demo.api_key}` })
        // While it cannot be renewed, the stored token is returned.
        const expiresAt = /"expires_at":"([^"]+)"/.exec(answer?.body ?? '')?.[1] ?? ''
        return Date.parse(expiresAt) > Date.now() ? { status: 200, body: 'renewed' } : undefined
      },
      findUsers: async () => [],
      mask: maskLogins,
    }
  },
}
