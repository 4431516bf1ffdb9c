import { busMetrics } from './list/bus.ts'
import { consoleMetrics } from './list/console.ts'
import { httpMetrics } from './list/http.ts'
import { jobMetrics } from './list/jobs.ts'
import { loginProviderMetrics } from './list/login-providers.ts'
import { loginMetrics } from './list/logins.ts'
import { processMetrics } from './list/process.ts'
import { storageMetrics } from './list/storage.ts'
import { storeMetrics } from './list/stores.ts'
import { webApiMetrics } from './list/web-api.ts'

/** Every metric of ours, as a reader looks for it. */
export const metricGroups = {
  'Every process': processMetrics,
  HTTP: httpMetrics,
  'The bus': busMetrics,
  'Postgres and Redis': storeMetrics,
  Jobs: jobMetrics,
  'The Web API': webApiMetrics,
  Logins: loginMetrics,
  'Login providers': loginProviderMetrics,
  'The console': consoleMetrics,
  'What is kept': storageMetrics,
} as const

/**
 * The same by name. What has a name in OpenTelemetry's semantic conventions carries it in Prometheus' form; the rest begins
 * with `sociallogin_`.
 */
export const metrics = {
  ...processMetrics,
  ...httpMetrics,
  ...busMetrics,
  ...storeMetrics,
  ...jobMetrics,
  ...webApiMetrics,
  ...loginMetrics,
  ...loginProviderMetrics,
  ...consoleMetrics,
  ...storageMetrics,
} as const
