export * from './api-gateway.ts'
export * from './console.ts'
export * from './define.ts'
export * from './events.ts'
export * from './exact-json.ts'
export * from './fault-details.ts'
export * from './faults.ts'
export * from './friendship.ts'
export * from './identity.ts'
export * from './limits.ts'
export {
  type BuiltInLoginProvider,
  type BuiltInProvider,
  type ButtonColors,
  builtInLoginProviders,
  builtInProviders,
  type ClaimMapping,
  type ClaimPointer,
  type CodeRule,
  type CountRule,
  type CredentialSource,
  compareProviders,
  configuredButton,
  type DateRule,
  describeProvider,
  type FlagRule,
  isBuiltIn,
  isBuiltInLoginProvider,
  type Language,
  type ListRule,
  type LoginProtocol,
  type LoginProviderDescription,
  languages,
  listSuppliedItems,
  loginProviderDescriptions,
  logoSvg,
  messagingPermissions,
  type NativeLoginProtocol,
  type OAuth1Protocol,
  type OAuth2Protocol,
  type OidcProtocol,
  type PassedParameters,
  type Permission,
  type Prompt,
  type Prompts,
  type ProviderDescription,
  type ProviderOption,
  providerDescriptions,
  supportedPrompts,
  type TextRule,
  type TokenExchange,
  type TokenRevocation,
  type UserResource,
} from './login-providers/index.ts'
export * from './objects/client.ts'
export * from './objects/credential.ts'
export * from './objects/deleted-links.ts'
export * from './objects/event.ts'
export * from './objects/event-object.ts'
export * from './objects/merge.ts'
export * from './objects/profile.ts'
export * from './objects/provider-definition.ts'
export * from './objects/provider-settings.ts'
export * from './objects/rejection.ts'
export * from './objects/site.ts'
export * from './objects/test-login.ts'
export * from './objects/user.ts'
export * from './objects/user-record.ts'
export * from './objects/webhook.ts'
export * from './profile.ts'
export * from './profile-items.ts'
export * from './provider-auth.ts'
export * from './provider-options.ts'
export * from './providers.ts'
export * from './scalars.ts'
export * from './webhooks.ts'
