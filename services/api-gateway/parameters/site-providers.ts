import { Fault, isBuiltIn, type Provider, type ProviderNames } from '#contracts'
import type { Parameters } from '#http'
import type { Shape } from './parameter.ts'

interface NamedProvider {
  readonly parameter: string
  readonly provider: Provider
}

/** Providers in a request that are not built in: only the site knows whether there are any. */
export function listOtherProviders(shape: Shape, given: Parameters, names: ProviderNames): NamedProvider[] {
  return Object.entries(shape).flatMap(([parameter, { listProviders }]) =>
    (listProviders?.(parameter, given, names) ?? []).flatMap((provider) =>
      isBuiltIn(provider) ? [] : [{ parameter, provider }],
    ),
  )
}

/** @throws Fault `invalid_parameter` if the site has not configured one of the providers */
export async function requireConfigured(
  named: readonly NamedProvider[],
  listConfigured: () => Promise<readonly Provider[]>,
): Promise<void> {
  const configured = await listConfigured()
  const unknown = named.find(({ provider }) => !configured.includes(provider))
  if (unknown !== undefined)
    throw new Fault('invalid_parameter', { detail: { reason: 'unknown_value', parameter: unknown.parameter } })
}
