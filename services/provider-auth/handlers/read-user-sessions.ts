import { toTimestamp } from '#runtime'
import { whileRedisWorks } from '../account/visit.ts'
import type { ProviderAuthHandlers } from '../deps.ts'
import { listUserSessions } from '../store/sessions.ts'

export const readUserSessions: ProviderAuthHandlers['readUserSessions'] = async (user, deps) => {
  const listed = await whileRedisWorks(() => listUserSessions(deps, user))
  return {
    sessions: listed.map(({ session, last_used_at_ms }) => ({
      link_id: session.link_id,
      provider: session.provider,
      browser: session.browser,
      recorded_at: session.recorded_at,
      started_at: toTimestamp(new Date(session.began_at_ms)),
      last_used_at: toTimestamp(new Date(last_used_at_ms)),
    })),
  }
}
