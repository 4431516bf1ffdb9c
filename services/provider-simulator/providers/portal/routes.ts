import type { AddRoutes } from '../../oauth/provider.ts'

/** The routes that only the portal has. */
export const addPortalRoutes: AddRoutes = (routes, { dialect, openid, render }) => {
  routes.get('Keys as PEM', `${dialect.basePath}/public-keys`, (ctx) => {
    ctx.body = openid?.signingKeys.pem
  })
  // The end user is sent here after denying a client that did not send bail=1.
  routes.get('Top page', '/', (ctx) => {
    const message = 'You denied the login. The application did not send bail=1, so it receives no response.'
    const { name, title } = dialect
    render.errorPage(ctx, 200, { heading: 'Top page of the portal', message, provider: { name, title } })
  })
}
