import { bus_metrics } from './list/bus.ts'
import { console_metrics } from './list/console.ts'
import { http_metrics } from './list/http.ts'
import { job_metrics } from './list/jobs.ts'
import { kept_metrics } from './list/kept.ts'
import { login_provider_metrics } from './list/login-providers.ts'
import { login_metrics } from './list/logins.ts'
import { process_metrics } from './list/process.ts'
import { store_metrics } from './list/stores.ts'
import { web_api_metrics } from './list/web-api.ts'

/** Every metric of ours, as a reader looks for it. */
export const metric_groups = {
  'Every process': process_metrics,
  HTTP: http_metrics,
  'The bus': bus_metrics,
  'Postgres and Redis': store_metrics,
  Jobs: job_metrics,
  'The Web API': web_api_metrics,
  Logins: login_metrics,
  'Login providers': login_provider_metrics,
  'The console': console_metrics,
  'What is kept': kept_metrics,
} as const

/**
 * The same by name. What has a name in OpenTelemetry's semantic conventions carries it in Prometheus' form; the rest begins
 * with `sociallogin_`.
 */
export const metrics = {
  ...process_metrics,
  ...http_metrics,
  ...bus_metrics,
  ...store_metrics,
  ...job_metrics,
  ...web_api_metrics,
  ...login_metrics,
  ...login_provider_metrics,
  ...console_metrics,
  ...kept_metrics,
} as const
