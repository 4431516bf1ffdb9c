import type { Migration } from '#database'
import { members } from './0001-members.ts'
import { auditTrail } from './0002-audit-trail.ts'
import { operatorsOwnProvider } from './0003-operators-own-provider.ts'
import { usage } from './0010-usage.ts'
import { requests } from './0011-requests.ts'
import { loginsAndProviderHealth } from './0012-logins-and-provider-health.ts'
import { exportsOfUsers } from './0013-exports.ts'
import { auditEnds } from './0014-audit-ends.ts'
import { sourcesOfSignIns } from './0015-sources-of-sign-ins.ts'
import { issuersOfTokens } from './0016-issuers-of-tokens.ts'
import { rejections } from './0017-rejections.ts'
import { detailsOfRequests } from './0020-details-of-requests.ts'

export const migrations: readonly Migration[] = [
  members,
  auditTrail,
  operatorsOwnProvider,
  usage,
  requests,
  loginsAndProviderHealth,
  exportsOfUsers,
  auditEnds,
  sourcesOfSignIns,
  issuersOfTokens,
  rejections,
  detailsOfRequests,
]
