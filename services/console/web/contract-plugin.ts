import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import {
  type AdminProcedure,
  adminApi,
  adminFaults,
  adminReasons,
  bulkActions,
  exportColumns,
  LoginResult,
  listedColumns,
  loginExplanations,
  noticeKinds,
  pictureUses,
  requestExplanations,
  roles,
  signInRoutes,
  userColumns,
} from '#admin-api'
import {
  builtInLoginProviders,
  builtInProviders,
  configuredButton,
  configuredName,
  configuredOptions,
  configuredProvider,
  conflictRules,
  definitionForms,
  eventTypeNames,
  faultReasons,
  limits,
  profileItems,
  providerDescriptions,
  ruleKinds,
  standardClaims,
  userStates,
} from '#contracts'
import { compileCatalogue } from '#messages'

/** Provides the parts of the contract that the pages need at run time as plain data, without zod. */
export function contract(): Plugin {
  const sources = readSources()
  const called = Object.entries(adminApi).filter(([procedure]) => sources.includes(`'${procedure}'`))
  const routes = Object.fromEntries(called.map(([procedure, { method, path }]) => [procedure, `${method} ${path}`]))
  const readingPosts = Object.entries<AdminProcedure>(adminApi).filter(([, { readOnly }]) => readOnly === true)
  const documentedFields = Object.fromEntries(
    Object.values<AdminProcedure>(adminApi).flatMap(({ form, input }) =>
      form === undefined ? [] : [[form, Object.keys(input.shape)]],
    ),
  )
  const signIn = Object.fromEntries(Object.entries(signInRoutes).map(([route, { path }]) => [route, path]))
  const messages = { faultReasons, loginExplanations, requestExplanations }
  const importBatch = { users: limits.import_batch_users, bytes: limits.import_batch_bytes }
  const modules = new Map<string, object>([
    [
      'virtual:contract',
      {
        routes,
        readingPosts: readingPosts.map(([procedure]) => procedure),
        signInRoutes: signIn,
        adminFaults,
        roles,
        bulkActions,
        profileItems,
        conflictRules,
        importBatch,
        documentedFields,
        loginResults: LoginResult.options,
        pictureUses,
        userColumns,
        listedColumns,
        userStates,
        eventTypes: eventTypeNames,
      },
    ],
    ['virtual:contract/exports', { exportColumns, mostColumns: limits.export_columns }],
    [
      'virtual:contract/providers',
      {
        providers: builtInProviders,
        loginProviders: builtInLoginProviders,
        descriptions: descriptionsForPages(),
        configured: {
          name: configuredName,
          logo: configuredButton.logo,
          options: configuredOptions,
          ...configuredProvider,
        },
      },
    ],
    ['virtual:contract/notices', { noticeKinds }],
    ['virtual:contract/definition', { definitionForms, ruleKinds, standardClaims }],
    // Separate, because only the English pages load it.
    ['virtual:contract/english', compileCatalogue(messages, 'libs/contracts')],
    // Loaded with the first error.
    ['virtual:contract/english-reasons', compileCatalogue({ reasons: adminReasons }, 'libs/contracts')],
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

/** The code of the pages. Procedures that it does not name are called by the command line or by other programs only. */
function readSources(): string {
  const files = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname })
  return files.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n')
}

/** Returns the descriptions of login providers without unused fields. */
function descriptionsForPages(): object {
  const unused = new Set(['credential', 'button', 'webhooks', 'documentation', 'protocols', 'native', 'permissions'])
  const entries = Object.entries(providerDescriptions).map(([provider, description]) => [
    provider,
    Object.fromEntries(Object.entries(description).filter(([field]) => !unused.has(field))),
  ])
  return Object.fromEntries(entries)
}
