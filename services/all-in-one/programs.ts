import { type BusService, createLocalServices } from '#bus'
import { type ConfigReader, defineProgram, type ProcessConfig, type ServiceProgram } from '#runtime'
import { readConfig as readApiGatewayConfig } from '../api-gateway/config.ts'
import { service as apiGateway } from '../api-gateway/service.ts'
import { readConfig as readConsoleConfig } from '../console/config.ts'
import { service as managementConsole } from '../console/service.ts'
import { readConfig as readEventsConfig } from '../events/config.ts'
import { service as events } from '../events/service.ts'
import { readConfig as readFriendshipConfig } from '../friendship/config.ts'
import { service as friendship } from '../friendship/service.ts'
import { readConfig as readIdentityConfig } from '../identity/config.ts'
import { service as identity } from '../identity/service.ts'
import { readConfig as readProfileConfig } from '../profile/config.ts'
import { service as profile } from '../profile/service.ts'
import { readConfig as readProviderAuthConfig } from '../provider-auth/config.ts'
import { service as providerAuth } from '../provider-auth/service.ts'

/** All services of the product, which call each other directly. Each is before its callers, so that it stops after them. */
export function createPrograms(): readonly ServiceProgram[] {
  const localServices = createLocalServices()
  const define = <C extends ProcessConfig>(
    name: string,
    readConfig: ConfigReader<C>,
    service: BusService<C, unknown>,
  ): ServiceProgram =>
    defineProgram(name, readConfig, (config, context) => service(config, { ...context, localServices }))
  return [
    define('events', readEventsConfig, events),
    define('identity', readIdentityConfig, identity),
    define('profile', readProfileConfig, profile),
    define('friendship', readFriendshipConfig, friendship),
    define('console', readConsoleConfig, managementConsole),
    define('provider-auth', readProviderAuthConfig, providerAuth),
    define('api-gateway', readApiGatewayConfig, apiGateway),
  ]
}
