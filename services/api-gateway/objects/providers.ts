import { compareProviders, type Link, type Provider, type ProviderNames } from '#contracts'

/** Wire names of providers, in the order of the specification's table; configured ones follow. */
export function showProviders(listed: Iterable<Provider>, names: ProviderNames): string[] {
  return [...new Set(listed)].sort(compareProviders).map(names.wire)
}

export function providersOf(links: readonly Link[]): Provider[] {
  return links.map(({ provider }) => provider)
}

export function linkIdsOf(links: readonly Link[]): string[] {
  return links.map(({ link_id }) => link_id)
}
