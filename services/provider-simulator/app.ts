import { readFileSync } from 'node:fs'
import type { Registry } from 'prom-client'
import { type App, createApp, createRouter, MalformedParameters, pageHeaders } from '#http'
import type { Logger } from '#runtime'
import { type Clients, registerClient } from './clients.ts'
import { formPostScript, type Render } from './pages.ts'
import { drawPortrait } from './portrait.ts'
import type { SimulatedProvider } from './providers/provider.ts'
import { addScenarioRoutes } from './scenarios/routes.ts'
import type { Scenarios } from './scenarios/scenarios.ts'
import { applyServerScenarios } from './scenarios/servers.ts'
import type { SignIn } from './sign-in.ts'

interface SimulatorParts {
  readonly url: string
  readonly clients: Clients
  readonly scenarios: Scenarios
  readonly render: Render
  readonly signIn: SignIn
  readonly providers: readonly SimulatedProvider[]
  readonly logger: Logger
  readonly registry: Registry
}

/** The simulator's own addresses, and below `/<provider>` those of each provider. */
export function createSimulatorApp({
  url,
  clients,
  scenarios,
  render,
  signIn,
  providers,
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

  const own = createRouter()
  own.get('/', (ctx) => render.page(ctx, 200, 'home', { url, providers }))
  own.get('/styles.css', (ctx) => {
    ctx.type = 'text/css; charset=utf-8'
    ctx.set('Cache-Control', 'max-age=300')
    ctx.body = styles
  })
  own.get('/form-post.js', (ctx) => {
    ctx.type = 'text/javascript; charset=utf-8'
    ctx.body = formPostScript
  })
  own.get('/people/:portrait.svg', (ctx) => {
    const drawing = drawPortrait(ctx.params.portrait ?? '')
    if (drawing === undefined) return
    ctx.type = 'image/svg+xml'
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin')
    ctx.set('Cache-Control', 'max-age=86400')
    ctx.body = drawing
  })
  own.post('/clients', (ctx) => registerClient(ctx, clients))
  addScenarioRoutes(own, { url, scenarios, providers, render })
  own.post('/sign-in', (ctx) => signIn.answer(ctx))

  for (const { routes } of [{ routes: own }, ...providers]) app.use(routes.routes()).use(routes.allowedMethods())
  return app
}
