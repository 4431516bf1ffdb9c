import type { AdminProcedureName } from '#admin-api'
import type { AdminHandlers } from './admin-handler.ts'
import { audit } from './audit.ts'
import { clients } from './clients.ts'
import { userExports } from './exports.ts'
import { keys } from './keys.ts'
import { me } from './me.ts'
import { members } from './members.ts'
import { operators } from './operators.ts'
import { providers } from './providers.ts'
import { sites } from './sites.ts'
import { tokens } from './tokens.ts'
import { usage } from './usage.ts'
import { users } from './users.ts'

/** The handlers of the Admin API, by procedure. */
export const adminHandlers: AdminHandlers<AdminProcedureName> = {
  ...sites,
  ...keys,
  ...clients,
  ...providers,
  ...users,
  ...userExports,
  ...usage,
  ...me,
  ...members,
  ...operators,
  ...tokens,
  ...audit,
}
