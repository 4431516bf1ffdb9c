import type { Plugin } from 'vite'
import {
  adminApi,
  adminFaults,
  adminReasons,
  rejectionExplanations,
  requestExplanations,
  roles,
  signInRoutes,
} from '#admin-api'
import { faultReasons, loginProviders, profileItems, providerDescriptions, providers } from '#contracts'
import { compileCatalogue } from '#messages'

/** What the pages need of the contract at run time, as plain data: the contract itself would bring zod with it. */
export function contract(): Plugin {
  const routes = Object.fromEntries(
    Object.entries(adminApi).map(([procedure, { method, path }]) => [procedure, { method, path }]),
  )
  const signIn = Object.fromEntries(Object.entries(signInRoutes).map(([route, { path }]) => [route, { path }]))
  const messages = { adminReasons, faultReasons, rejectionExplanations, requestExplanations }
  const modules = new Map<string, object>([
    ['virtual:contract', { routes, signInRoutes: signIn, adminFaults, roles, profileItems }],
    ['virtual:contract/providers', { providers, loginProviders, descriptions: descriptionsForPages() }],
    // Separate, because only the English pages load it.
    ['virtual:contract/english', compileCatalogue(messages, 'libs/contracts')],
  ])
  return {
    name: 'contract',
    resolveId: (id) => (modules.has(id) ? `\0${id}` : undefined),
    load: (id) => {
      const constants = id.startsWith('\0') ? modules.get(id.slice(1)) : undefined
      if (constants === undefined) return undefined
      return Object.entries(constants)
        .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)}`)
        .join('\n')
    },
  }
}

/** The login providers without what no page needs. */
function descriptionsForPages(): object {
  const unused = new Set(['credential', 'button', 'notices'])
  const entries = Object.entries(providerDescriptions).map(([provider, description]) => [
    provider,
    Object.fromEntries(Object.entries(description).filter(([field]) => !unused.has(field))),
  ])
  return Object.fromEntries(entries)
}
