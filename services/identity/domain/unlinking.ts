import { Fault, type Link, type Provider } from '#contracts'

/**
 * Checks whether a user's providers can be unlinked.
 *
 * @param nowarn allows unlinking the last provider
 * @throws Fault `provider_not_linked` if one of them is not linked, checked before `last_provider`
 */
export function checkUnlinking(
  links: readonly Pick<Link, 'provider'>[],
  { providers, nowarn }: { readonly providers: readonly Provider[]; readonly nowarn: boolean },
): void {
  if (providers.some((provider) => links.every((link) => link.provider !== provider)))
    throw new Fault('provider_not_linked')
  if (!nowarn && links.every(({ provider }) => providers.includes(provider))) throw new Fault('last_provider')
}
