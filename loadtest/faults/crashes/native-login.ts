import { z } from 'zod'
import type { FaultSite } from '../site.ts'
import type { FaultOperation } from './fault-case.ts'
import { findUser, maskLogins, withTimeout } from './login-operations.ts'

const SdkTokens = z.object({ id_token: z.string(), access_token: z.string() })
type SdkTokens = z.infer<typeof SdkTokens>

/**
 * The request of a native app with the tokens of the provider search, which are stored. The app sends it again after a fault; if the
 * ID Token was used, the response was lost, and the SDK gets new tokens.
 */
export const nativeLogin: FaultOperation = {
  name: 'native_login',
  participants: ['provider-auth', 'identity', 'profile'],
  async prepare(site, tag) {
    let tokens: SdkTokens | undefined = await logInBySdk(site, tag)
    const send = async (): Promise<boolean> => {
      tokens ??= await logInBySdk(site, tag)
      const status = await inject(site, tokens)
      if (status === 400) tokens = undefined
      return status === 200
    }
    return {
      users: [],
      async attempt() {
        const isDone = await withTimeout(send()).catch(() => false)
        return isDone ? { status: 200, body: 'token' } : undefined
      },
      findUsers: () => findUser(site, tag),
      mask: maskLogins,
    }
  },
}

async function logInBySdk({ demo, simulator }: FaultSite, user: string): Promise<SdkTokens> {
  const response = await post(`${simulator}/search/sdk`, { client_id: `demo-${demo.site_id}-search`, user })
  return SdkTokens.parse(await response.json())
}

async function inject({ demo, auth }: FaultSite, tokens: SdkTokens): Promise<number> {
  const response = await post(`${auth}/${demo.account}/${demo.site_id}/search/inject`, tokens)
  await response.text()
  return response.status
}

function post(address: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', connection: 'close' }
  return fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
}
