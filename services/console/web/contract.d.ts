/** Created by `contract-plugin.ts` at build time. */
declare module 'virtual:contract' {
  import type { AdminProcedure, AdminProcedureName } from '#admin-api'

  /** Method and path: every page loads this text. */
  export const routes: Readonly<Record<AdminProcedureName, `${AdminProcedure['method']} ${string}`>>
  /** The POSTs that change nothing. */
  export const readingPosts: readonly AdminProcedureName[]
  /** Paths. */
  export const signInRoutes: Readonly<Record<keyof import('#admin-api').SignInRoutes, string>>
  export const adminFaults: typeof import('#admin-api').adminFaults
  export const bulkActions: typeof import('#admin-api').bulkActions
  export const roles: typeof import('#admin-api').roles
  export const profileItems: typeof import('#contracts').profileItems
  /** The fields that the documentation describes. */
  export const documentedFields: Readonly<Record<import('#admin-api').DocumentedForm, readonly string[]>>
  export const loginResults: readonly import('#admin-api').LoginResult[]
  export const pictureUses: typeof import('#admin-api').pictureUses
  export const userColumns: typeof import('#admin-api').userColumns
  export const listedColumns: typeof import('#admin-api').listedColumns
  export const userStates: typeof import('#contracts').userStates
  export const conflictRules: typeof import('#contracts').conflictRules
  export const eventTypes: import('#contracts').EventTypeName[]
  /** The maximum size of a batch of an import. */
  export const importBatch: { readonly users: number; readonly bytes: number }
}

declare module 'virtual:contract/providers' {
  import type { BuiltInLoginProvider, BuiltInProvider, LoginProviderDescription, ProviderDescription } from '#contracts'

  export const providers: readonly BuiltInProvider[]
  export const loginProviders: readonly BuiltInLoginProvider[]
  export const descriptions: Readonly<
    Record<BuiltInProvider, Omit<ProviderDescription, 'credential'>> &
      Record<
        BuiltInLoginProvider,
        Omit<
          LoginProviderDescription,
          'credential' | 'button' | 'webhooks' | 'documentation' | 'protocols' | 'native' | 'permissions'
        >
      >
  >
  /** What all providers that sites configure have in common. */
  export const configured: Pick<LoginProviderDescription, 'options' | 'supplies' | 'chartColor'> & {
    /** Stands for all of them where they are counted together. */
    readonly name: string
    readonly logo: { readonly path: string }
    readonly hasOfficialAccount?: never
  }
}

/** Loaded with the page of exports. */
declare module 'virtual:contract/exports' {
  export const exportColumns: typeof import('#admin-api').exportColumns
  export const mostColumns: number
}

/** Loaded with the pages about notices. */
declare module 'virtual:contract/notices' {
  export const noticeKinds: typeof import('#admin-api').noticeKinds
}

/** What a form about a provider that a site configures has. */
declare module 'virtual:contract/definition' {
  export type DefinitionField = import('#contracts').DefinitionField
  export const definitionForms: typeof import('#contracts').definitionForms
  export const ruleKinds: typeof import('#contracts').ruleKinds
  export const standardClaims: typeof import('#contracts').standardClaims
}

/** The compiled messages of the contract; other languages have them in `texts`. */
declare module 'virtual:contract/english' {
  import type { RequestExplanation } from '#admin-api'
  import type { FaultReason, LoginReason } from '#contracts'

  export const faultReasons: Readonly<Record<FaultReason, string>>
  export const loginExplanations: Readonly<Record<LoginReason, string>>
  export const requestExplanations: Readonly<Record<RequestExplanation, string>>
}

/** The messages of the reasons of the Admin API. */
declare module 'virtual:contract/english-reasons' {
  import type { AdminReasonName } from '#admin-api'
  import type { CompiledMessage } from '#messages'

  export const reasons: Readonly<Record<AdminReasonName, CompiledMessage>>
}

/** The quick starts of the documentation. */
declare module 'virtual:quick-starts' {
  export const quickStarts: readonly import('./pages/overview/quick-start.ts').QuickStart[]
}

/** The pages of the documentation for customers. */
declare module 'virtual:documentation' {
  export const documentation: readonly {
    readonly path: string
    readonly language: import('./texts/language.ts').ConsoleLanguage
    readonly title: string
    readonly headings: readonly string[]
  }[]
}
