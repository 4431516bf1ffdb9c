import { issueAssociationToken, prepareLink } from '../link-account.ts'
import { callWebApi } from '../web-api.ts'
import type { FaultOperation } from './fault-case.ts'
import { maskLogins, withTimeout } from './login-operations.ts'

/** The callback with which the browser of a user links an account. After a fault, the user starts again. */
export const linkOperation: FaultOperation = {
  name: 'link',
  participants: ['provider-auth', 'identity', 'profile'],
  async prepare(site, tag) {
    const links = [{ provider: 'messaging', provider_user_id: `${tag}-messaging` } as const]
    const identifier = await site.createUser({ links })
    const begin = async () => prepareLink(site, await issueAssociationToken(site, identifier), tag)
    let prepared: (() => Promise<string>) | undefined = await begin()
    const link = async () => {
      const open = prepared ?? (await begin())
      prepared = undefined
      return open()
    }
    const isLinked = async () => (await callWebApi(site, 'providers_of_user', { identifier })).body.includes('"search"')
    return {
      users: [identifier],
      async attempt() {
        // Reset, refused or timed out, or a page that says that the account is linked already.
        const status = await withTimeout(link()).catch(() => undefined)
        const isDone = status === 'authorized' || (await isLinked().catch(() => false))
        return isDone ? { status: 302, body: 'linked' } : undefined
      },
      findUsers: async () => [],
      mask: maskLogins,
    }
  },
}
