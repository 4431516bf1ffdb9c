import type { FaultSite } from '../site.ts'
import type { FaultOperation } from './fault-case.ts'
import { findUser, maskLogins, withTimeout } from './login-operations.ts'

/**
 * The request of a native app with an ID Token of the provider search. The app sends it again after a fault; if it was used, the
 * response was lost, and the SDK gets a new one.
 */
export const nativeLogin: FaultOperation = {
  name: 'native_login',
  participants: ['provider-auth', 'identity', 'profile'],
  async prepare(site, tag) {
    let idToken: string | undefined = await logInBySdk(site, tag)
    const send = async (): Promise<boolean> => {
      idToken ??= await logInBySdk(site, tag)
      const status = await inject(site, idToken)
      if (status === 400) idToken = undefined
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

async function logInBySdk({ demo, simulator }: FaultSite, user: string): Promise<string> {
  const response = await post(`${simulator}/search/sdk`, { client_id: `demo-${demo.site_id}-search`, user })
  return String(Reflect.get(Object(await response.json()), 'id_token'))
}

async function inject({ demo, auth }: FaultSite, idToken: string): Promise<number> {
  const response = await post(`${auth}/${demo.account}/${demo.site_id}/search/inject`, { id_token: idToken })
  await response.text()
  return response.status
}

function post(address: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', connection: 'close' }
  return fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
}
