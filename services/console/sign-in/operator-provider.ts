import { createOpenidProvider, type OpenidProvider } from './openid-provider.ts'

export interface OperatorProviderSettings {
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: string
}

/** The operator's own OpenID provider, where members can sign in instead of with a passkey. */
export type OperatorProvider = OpenidProvider

export function createOperatorProvider(settings: OperatorProviderSettings, consoleUrl: string): OperatorProvider {
  const redirectUri = `${consoleUrl}${callbackPath}`
  const clientAuthentication = 'client_secret_post'
  return createOpenidProvider({
    ...settings,
    client_authentication: clientAuthentication,
    redirect_uri: redirectUri,
    scopes: [],
  })
}

/** Path of the redirect URI to register at the provider. */
export const callbackPath = '/sign-in/provider/callback'
