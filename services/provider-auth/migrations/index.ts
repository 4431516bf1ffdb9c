import { jobsMigration, type Migration } from '#database'
import { initial } from './0001-initial.ts'
import { settingsRevision } from './0002-settings-revision.ts'
import { callbackByDomain } from './0003-callback-by-domain.ts'
import { nativeLogins } from './0004-native-logins.ts'
import { pendingEvents } from './0005-pending-events.ts'
import { analyzeTokensOften } from './0006-analyze-often.ts'
import { appSecrets } from './0007-app-secrets.ts'
import { configuredProviders } from './0008-configured-providers.ts'
import { siteHosts } from './0009-site-hosts.ts'
import { siteLooks } from './0010-site-looks.ts'
import { loginOfCode } from './0011-login-of-code.ts'
import { siteDeletions } from './0012-site-deletions.ts'
import { accountPagesMigration } from './0013-account-pages.ts'
import { metadataClaims } from './0014-metadata-claims.ts'
import { accountDeletionMigration } from './0015-account-deletion.ts'
import { terms } from './0016-terms.ts'
import { dataRecipients } from './0017-data-recipients.ts'
import { userMetadataWrite } from './0018-user-metadata-write.ts'
import { siteFreezes } from './0020-site-freezes.ts'

export { providerAuthDistribution } from './distribution.ts'

export const migrations: readonly Migration[] = [
  jobsMigration,
  initial,
  settingsRevision,
  callbackByDomain,
  nativeLogins,
  pendingEvents,
  analyzeTokensOften,
  appSecrets,
  configuredProviders,
  siteHosts,
  siteLooks,
  loginOfCode,
  siteDeletions,
  accountPagesMigration,
  metadataClaims,
  accountDeletionMigration,
  terms,
  dataRecipients,
  userMetadataWrite,
  siteFreezes,
]
