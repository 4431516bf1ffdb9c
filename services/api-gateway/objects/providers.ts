import { allProviders, type Link, type Provider, type ProviderNames } from '#contracts'

/** Wire names of providers, in the order of the specification's table. */
export function showProviders(listed: Iterable<Provider>, names: ProviderNames): string[] {
  const there = new Set(listed)
  return allProviders.filter((provider) => there.has(provider)).map(names.wire)
}

export function providersOf(links: readonly Link[]): Provider[] {
  return links.map(({ provider }) => provider)
}

export function linkIdsOf(links: readonly Link[]): string[] {
  return links.map(({ link_id }) => link_id)
}
