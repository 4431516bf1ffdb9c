import { newCall } from '#bus'
import type { Task } from '#database'
import type { Deps } from '../../deps.ts'
import { loginTask, readLoginJob } from './login-job.ts'
import { persistLogin, storeNothing } from './persist-login.ts'
import { type IdentityLogin, isRejection, recordAtIdentity } from './record-supplied-login.ts'

/** How long the job waits for other services. Our choice. */
const jobTimeoutMs = 10_000

/** Creates the job that completes interrupted logins. Their applications have received an error, or nothing. */
export function createLoginTasks(deps: Deps): Readonly<Record<string, Task>> {
  return {
    async [loginTask](payload) {
      const supplied = await readLoginJob(payload, deps)
      const call = newCall({ withinMs: jobTimeoutMs })
      let recorded: IdentityLogin
      try {
        const ageMs = Math.max(0, Date.now() - supplied.supplied_at_ms)
        recorded = await recordAtIdentity(supplied, deps, call, ageMs)
      } catch (error) {
        // Nothing remains to be done: its tokens are being revoked.
        if (isRejection(error)) return
        throw error
      }
      await persistLogin(supplied, recorded, storeNothing, deps, call)
    },
  }
}
