import { listenHttp, pageHeaders } from '#http'
import type { Service } from '#runtime'
import { createSimulatorApp } from './app.ts'
import { createClientRegistry } from './client-registry.ts'
import type { Config } from './config.ts'
import { createRender } from './pages.ts'
import { createDescribedProviders } from './providers/described/index.ts'
import { createProviders } from './providers/index.ts'
import { createScenarios } from './scenarios/scenarios.ts'
import { createSignInFlow } from './sign-in-flow.ts'

/** Simulates the login providers for development, tests and staging. It stores everything in memory. */
export const service: Service<Config, { port: number }> = async (config, { logger, registry, readiness, stack }) => {
  const url = config.SIMULATOR_URL
  const clients = createClientRegistry()
  const scenarios = createScenarios()
  const render = createRender(url)
  const signIn = createSignInFlow({ render, scenarios })
  const simulator = { url, clients, scenarios, render, signIn }
  const described = await createDescribedProviders(simulator)
  const providers = [...(await createProviders(simulator)), ...described]
  const app = createSimulatorApp({ ...simulator, providers, described, logger, registry })
  const { port } = stack.use(await listenHttp(config, { app, headers: pageHeaders, registry, readiness }))
  return { port }
}
