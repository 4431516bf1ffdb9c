import { Fault, type Link, type Provider } from '#contracts'

/**
 * Decides about unlinking a user's providers.
 *
 * @param nowarn also when none remains
 * @throws Fault `provider_not_linked` when one of them is not, which is told before `last_provider`
 */
export function checkUnlinking(
  links: readonly Pick<Link, 'provider'>[],
  { providers, nowarn }: { readonly providers: readonly Provider[]; readonly nowarn: boolean },
): void {
  if (providers.some((provider) => links.every((link) => link.provider !== provider)))
    throw new Fault('provider_not_linked')
  if (!nowarn && links.every(({ provider }) => providers.includes(provider))) throw new Fault('last_provider')
}
