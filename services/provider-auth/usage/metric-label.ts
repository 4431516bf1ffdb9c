import { configuredName, isBuiltIn, type Provider } from '#contracts'

/** The label of a provider in metrics: one for all that sites configured, so that there are not as many series. */
export function toMetricLabel(provider: Provider): string {
  return isBuiltIn(provider) ? provider : configuredName
}
