import { isBuiltInLoginProvider, type LoginProtocol, type LoginProvider } from '#contracts'
import type { ProviderTokens } from '../../domain/credential.ts'
import { type ProviderClient, ReauthenticationRequired } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { AdapterDeps, DescribedLogin, LoginDescription } from './adapter.ts'
import { providerHooks } from './hooks.ts'
import { connectOAuth1 } from './oauth1.ts'
import { connectOAuth2 } from './oauth2.ts'
import { connectOidc } from './oidc.ts'
import type { ProviderHooks } from './provider-hooks.ts'

/** Connects a login provider by its description. */
export function connectProvider(
  provider: LoginProvider,
  description: LoginDescription,
  deps: AdapterDeps,
): ProviderClient {
  const hooks = isBuiltInLoginProvider(provider) ? (providerHooks[provider] ?? {}) : {}
  const connect = (protocol: LoginProtocol) => connectProtocol({ provider, description, protocol }, hooks, deps)
  const [standard, ...others] = description.protocols
  return others.length === 0
    ? connect(standard)
    : selectClient(connect(standard), new Map(others.map((protocol) => [protocol.type, connect(protocol)])))
}

function connectProtocol(
  { protocol, ...login }: DescribedLogin<LoginProtocol>,
  hooks: ProviderHooks,
  deps: AdapterDeps,
): ProviderClient {
  switch (protocol.type) {
    case 'oidc':
      return connectOidc({ ...login, protocol }, hooks, deps)
    case 'oauth2':
      return connectOAuth2({ ...login, protocol }, hooks, deps)
    case 'oauth1':
      return connectOAuth1({ ...login, protocol }, deps)
  }
}

/** A provider with the protocol that the provider settings select, or its default one. */
function selectClient(
  standard: ProviderClient,
  others: ReadonlyMap<string | undefined, ProviderClient>,
): ProviderClient {
  const clientFor = ({ options }: Pick<SiteProviderSettings, 'options'>) => others.get(options.protocol) ?? standard
  // Only tokens of OAuth 1.0a have a secret, whichever protocol the settings select now.
  const clientOf = ({ access_secret }: ProviderTokens) =>
    (access_secret === null ? others.get('oauth2') : others.get('oauth1')) ?? standard
  return {
    ...standard,
    startLogin: (login, request) => clientFor(login.settings).startLogin(login, request),
    finishLogin: (login, returned) => clientFor(login.settings).finishLogin(login, returned),
    async refresh(settings, tokens, providerUserId) {
      // They do not expire.
      if (tokens.access_secret !== null) return tokens
      const { refresh } = clientOf(tokens)
      if (refresh === undefined) throw new ReauthenticationRequired()
      return refresh(settings, tokens, providerUserId)
    },
    async revoke(settings, tokens) {
      await clientOf(tokens).revoke?.(settings, tokens)
    },
  }
}
