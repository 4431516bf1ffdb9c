import { busMetrics } from './list/bus.ts'
import { consoleMetrics } from './list/console.ts'
import { eventMetrics } from './list/events.ts'
import { httpMetrics } from './list/http.ts'
import { jobMetrics } from './list/jobs.ts'
import { loginProviderMetrics } from './list/login-providers.ts'
import { loginMetrics } from './list/logins.ts'
import { processMetrics } from './list/process.ts'
import { storageMetrics } from './list/storage.ts'
import { storeMetrics } from './list/stores.ts'
import { webApiMetrics } from './list/web-api.ts'

/** All metrics, grouped by topic. */
export const metricGroups = {
  'Every process': processMetrics,
  HTTP: httpMetrics,
  'The bus': busMetrics,
  'Postgres and Redis': storeMetrics,
  Jobs: jobMetrics,
  Events: eventMetrics,
  'The Web API': webApiMetrics,
  Logins: loginMetrics,
  'Login providers': loginProviderMetrics,
  'The console': consoleMetrics,
  'Stored data': storageMetrics,
} as const

/**
 * All metrics by name. Names follow OpenTelemetry's semantic conventions, in Prometheus' form; other names start with
 * `sociallogin_`.
 */
export const metrics = {
  ...processMetrics,
  ...httpMetrics,
  ...busMetrics,
  ...storeMetrics,
  ...jobMetrics,
  ...eventMetrics,
  ...webApiMetrics,
  ...loginMetrics,
  ...loginProviderMetrics,
  ...consoleMetrics,
  ...storageMetrics,
} as const
