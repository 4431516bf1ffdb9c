/** Made by `contract-plugin.ts` when the pages are built. */
declare module 'virtual:contract' {
  import type { AdminProcedure, AdminProcedureName } from '#admin-api'

  export const routes: Readonly<Record<AdminProcedureName, Pick<AdminProcedure, 'method' | 'path'>>>
  export const signInRoutes: Readonly<Record<keyof import('#admin-api').SignInRoutes, { readonly path: string }>>
  export const adminFaults: typeof import('#admin-api').adminFaults
  export const roles: typeof import('#admin-api').roles
  export const profileItems: typeof import('#contracts').profileItems
}
