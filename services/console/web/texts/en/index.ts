import { addresses, keys } from './access.ts'
import { clients } from './clients.ts'
import { common, faults, me, shell, sign_in } from './common.ts'
import { explanations } from './explanations.ts'
import { fault_reasons } from './fault-reasons.ts'
import { audit, insight } from './insight.ts'
import { guides, providers } from './providers.ts'
import { reasons } from './reasons.ts'
import { rejections } from './rejections.ts'
import { accounts, overview, settings, sites } from './site.ts'
import { exports, members, operators, tokens, users } from './users.ts'

/** Every text of the pages; those of other languages have the same shape. */
export const en = {
  common,
  faults,
  explanations,
  fault_reasons,
  reasons,
  rejections,
  shell,
  sign_in,
  me,
  accounts,
  sites,
  overview,
  settings,
  keys,
  addresses,
  clients,
  providers,
  guides,
  users,
  exports,
  members,
  operators,
  tokens,
  audit,
  insight,
}

export type Texts = typeof en
