import { createRouter } from '#http'
import type { SimulatedProvider, Simulator } from '../provider.ts'
import { authorize } from './authorize.ts'
import { debugToken } from './debug-token.ts'
import { answerGraphErrors } from './errors.ts'
import { showMe } from './me.ts'
import { deletePermission, deletePermissions, listPermissions } from './permissions.ts'
import { changeSettings, showSettings } from './settings.ts'
import { createSocial, version } from './state.ts'
import { issueToken } from './token.ts'

/** The social-network provider: Facebook Login and the Graph API, which are two hosts at the real provider. */
export async function openSocial(simulator: Simulator): Promise<SimulatedProvider> {
  const social = createSocial(simulator)
  const routes = createRouter('/social')
  const both = ['GET', 'POST']

  routes.get('Authorization', `/${version}/dialog/oauth`, (ctx) => authorize(ctx, social))
  routes.register(`/${version}/oauth/access_token`, both, [answerGraphErrors, (ctx) => issueToken(ctx, social)], {
    name: 'Token',
  })
  routes.get('Profile', `/${version}/me`, answerGraphErrors, (ctx) => showMe(ctx, social))
  routes.get('Permissions', `/${version}/:user/permissions`, answerGraphErrors, (ctx) => listPermissions(ctx, social))
  routes.delete('Removal of the application', `/${version}/:user/permissions`, answerGraphErrors, (ctx) =>
    deletePermissions(ctx, social),
  )
  routes.delete('Removal of a permission', `/${version}/:user/permissions/:permission`, answerGraphErrors, (ctx) =>
    deletePermission(ctx, social),
  )
  routes.get('Token inspection', '/debug_token', answerGraphErrors, (ctx) => debugToken(ctx, social))
  routes.get('A person’s applications', '/settings', (ctx) => showSettings(ctx, social))
  routes.post('/settings', (ctx) => changeSettings(ctx, social))

  return {
    name: 'social',
    title: 'Social',
    summary:
      'OAuth 2.0 and a Graph API with a version in its paths: no ID Token and no refresh token, errors that are objects, an e-mail address that can be declined, and a signed notice when a person removes an application.',
    routes,
  }
}
