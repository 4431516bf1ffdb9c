import { listenHttp, pageHeaders } from '#http'
import type { Service } from '#runtime'
import { createSimulatorApp } from './app.ts'
import { createClients } from './clients.ts'
import type { Config } from './config.ts'
import { createRender } from './pages.ts'
import { openProviders } from './providers/index.ts'
import { createScenarios } from './scenarios/scenarios.ts'
import { createSignIn } from './sign-in.ts'

/** Simulates the login providers, locally and in staging. It stores everything in memory. */
export const service: Service<Config, { port: number }> = async (config, { logger, registry, stack }) => {
  const url = config.SIMULATOR_URL
  const clients = createClients()
  const scenarios = createScenarios()
  const render = createRender(url)
  const signIn = createSignIn({ render, scenarios })
  const providers = await openProviders({ url, clients, scenarios, render, signIn })
  const app = createSimulatorApp({ url, clients, scenarios, render, signIn, providers, logger, registry })
  const { port } = stack.use(await listenHttp(config, { app, headers: pageHeaders, registry }))
  return { port }
}
