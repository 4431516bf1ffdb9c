import type { Plugin } from 'vite'
import { adminApi, adminFaults, roles, signInRoutes } from '#admin-api'
import { profileItems } from '#contracts'

const name = 'virtual:contract'

/** What the pages need of the contract at run time, as plain data: the contract itself would bring zod with it. */
export function contract(): Plugin {
  const routes = Object.fromEntries(
    Object.entries(adminApi).map(([procedure, { method, path }]) => [procedure, { method, path }]),
  )
  const sign_in = Object.fromEntries(Object.entries(signInRoutes).map(([route, { path }]) => [route, { path }]))
  const constants = { routes, signInRoutes: sign_in, adminFaults, roles, profileItems }
  return {
    name: 'contract',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) =>
      id === `\0${name}`
        ? Object.entries(constants)
            .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)}`)
            .join('\n')
        : undefined,
  }
}
