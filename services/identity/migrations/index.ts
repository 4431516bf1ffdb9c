import type { Migration } from '#database'
import { sitesAndApiKeys } from './0001-sites-and-api-keys.ts'
import { usersLinksAndLogins } from './0002-users-links-and-logins.ts'
import { userCounts } from './0003-user-counts.ts'
import { answers } from './0005-answers.ts'
import { accountsAndSiteSettings } from './0006-accounts-and-site-settings.ts'
import { loginHistoryDays } from './0007-login-history-days.ts'
import { noServiceUrl } from './0008-no-service-url.ts'
import { loginButtons } from './0009-login-buttons.ts'
import { createdUsersOfAnswers } from './0010-created-users-of-answers.ts'

export const migrations: readonly Migration[] = [
  sitesAndApiKeys,
  usersLinksAndLogins,
  userCounts,
  answers,
  accountsAndSiteSettings,
  loginHistoryDays,
  noServiceUrl,
  loginButtons,
  createdUsersOfAnswers,
]
