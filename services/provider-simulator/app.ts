import { readFileSync } from 'node:fs'
import type { Registry } from 'prom-client'
import { type App, createApp, createRouter, MalformedParameters, pageHeaders } from '#http'
import type { Logger } from '#runtime'
import { type ClientRegistry, handleClientRegistration } from './client-registry.ts'
import { formPostScript, type Render } from './pages.ts'
import { drawPortrait } from './portrait.ts'
import type { SimulatedProvider } from './providers/provider.ts'
import { addScenarioRoutes } from './scenarios/routes.ts'
import type { Scenarios } from './scenarios/scenarios.ts'
import { applyServerScenarios } from './scenarios/server-scenarios.ts'
import type { SignInFlow } from './sign-in-flow.ts'

interface SimulatorParts {
  readonly url: string
  readonly clients: ClientRegistry
  readonly scenarios: Scenarios
  readonly render: Render
  readonly signIn: SignInFlow
  readonly providers: readonly SimulatedProvider[]
  /** Those of the providers that the catalog describes; the start page lists them together. */
  readonly described?: readonly SimulatedProvider[]
  readonly logger: Logger
  readonly registry: Registry
}

/** Creates the HTTP application: the simulator's own routes, and each provider below `/<provider>`. */
export function createSimulatorApp({
  url,
  clients,
  scenarios,
  render,
  signIn,
  providers,
  described = [],
  logger,
  registry,
}: SimulatorParts): App {
  const app = createApp({ logger, registry, headers: pageHeaders, renderFailure: render.failure })
  const styles = readFileSync(new URL('pages/styles.css', import.meta.url), 'utf8')

  app.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (!(error instanceof MalformedParameters)) throw error
      render.failure(ctx, 400)
    }
  })

  app.use(applyServerScenarios({ scenarios, providers, render }))

  const ownRoutes = createRouter()
  ownRoutes.get('/', (ctx) => {
    const own = providers.filter((provider) => !described.includes(provider))
    render.page(ctx, 200, 'home', { url, providers: own, described })
  })
  ownRoutes.get('/styles.css', (ctx) => {
    ctx.type = 'text/css; charset=utf-8'
    ctx.set('Cache-Control', 'max-age=300')
    ctx.body = styles
  })
  ownRoutes.get('/form-post.js', (ctx) => {
    ctx.type = 'text/javascript; charset=utf-8'
    ctx.body = formPostScript
  })
  ownRoutes.get('/people/:portrait.svg', (ctx) => {
    const drawing = drawPortrait(ctx.params.portrait ?? '')
    if (drawing === undefined) return
    ctx.type = 'image/svg+xml'
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
    ctx.set('Cache-Control', 'max-age=86400')
    ctx.body = drawing
  })
  ownRoutes.post('/clients', (ctx) => handleClientRegistration(ctx, clients))
  addScenarioRoutes(ownRoutes, { url, scenarios, providers, render })
  ownRoutes.post('/sign-in', (ctx) => signIn.submit(ctx))

  for (const { routes } of [{ routes: ownRoutes }, ...providers]) app.use(routes.routes()).use(routes.allowedMethods())
  return app
}
