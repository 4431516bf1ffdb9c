import { sendErrors } from '../../oauth/errors.ts'
import type { AddRoutes } from '../../oauth/provider.ts'
import { graphErrors } from './errors.ts'
import { debugToken, showGraphUser } from './graph.ts'
import { deletePermission, deletePermissions, listPermissions } from './permissions.ts'
import { changeSettings, showSettings } from './settings.ts'

/** The Graph API, and the page on which end users remove applications. */
export const addSocialRoutes: AddRoutes = (routes, server) => {
  const { basePath } = server.dialect
  const permissions = `${basePath}/:user/permissions`
  const errors = sendErrors(graphErrors)
  routes.get('Profile', `${basePath}/me`, errors, (ctx) => showGraphUser(ctx, server))
  routes.get('Permissions', permissions, errors, (ctx) => listPermissions(ctx, server))
  routes.delete('Removal of the application', permissions, errors, (ctx) => deletePermissions(ctx, server))
  routes.delete('Removal of a permission', `${permissions}/:permission`, errors, (ctx) => deletePermission(ctx, server))
  routes.get('Token inspection', '/debug_token', errors, (ctx) => debugToken(ctx, server))
  routes.get('User settings', '/settings', (ctx) => showSettings(ctx, server))
  routes.post('/settings', (ctx) => changeSettings(ctx, server))
}
