import type { AdminProcedureName } from '#admin-api'
import { audit } from './audit.ts'
import { clients } from './clients.ts'
import { exportsOfUsers } from './exports.ts'
import { insight } from './insight.ts'
import { keys } from './keys.ts'
import { me } from './me.ts'
import { members } from './members.ts'
import { operators } from './operators.ts'
import type { Runs } from './procedure.ts'
import { providers } from './providers.ts'
import { sites } from './sites.ts'
import { tokens } from './tokens.ts'
import { users } from './users.ts'

/** What each procedure of the Admin API does. */
export const procedures: Runs<AdminProcedureName> = {
  ...sites,
  ...keys,
  ...clients,
  ...providers,
  ...users,
  ...exportsOfUsers,
  ...insight,
  ...me,
  ...members,
  ...operators,
  ...tokens,
  ...audit,
}
