import { authorizeFrom } from '../../cost/login.ts'
import { fetchFromProvider, logInAtPeer } from './peer-logins.ts'
import type { LoginTarget } from './protocol.ts'
import type { CreateSender } from './run-load.ts'

let nextUser = 0

/** Logs in one end user after another, each with a new browser. */
export function createLoginSender(target: LoginTarget): CreateSender {
  return () => ({
    async sendNext() {
      const n = nextUser++
      if (target.kind === 'product') await authorizeFrom(target, n)
      else if (target.kind === 'oidc-provider') await logInAtPeer(target, n)
      else await fetchFromProvider(target.address, n)
      return 'login'
    },
    close: async () => {},
  })
}
