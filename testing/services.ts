import { readConfig as readApiGatewayConfig } from '../services/api-gateway/config.ts'
import { service as apiGatewayService } from '../services/api-gateway/service.ts'
import { readConfig as readConsoleConfig } from '../services/console/config.ts'
import { service as consoleService } from '../services/console/service.ts'
import { readConfig as readEventsConfig } from '../services/events/config.ts'
import { service as eventsService } from '../services/events/service.ts'
import { readConfig as readFriendshipConfig } from '../services/friendship/config.ts'
import { service as friendshipService } from '../services/friendship/service.ts'
import { readConfig as readIdentityConfig } from '../services/identity/config.ts'
import { service as identityService } from '../services/identity/service.ts'
import { readConfig as readProfileConfig } from '../services/profile/config.ts'
import { service as profileService } from '../services/profile/service.ts'
import { readConfig as readProviderAuthConfig } from '../services/provider-auth/config.ts'
import { service as providerAuthService } from '../services/provider-auth/service.ts'
import { readConfig as readProviderSimulatorConfig } from '../services/provider-simulator/config.ts'
import { service as providerSimulatorService } from '../services/provider-simulator/service.ts'

/** The services as their `main.ts` files run them, to start a stack in one process. */
export const apiGateway = { readConfig: readApiGatewayConfig, service: apiGatewayService }
export const events = { readConfig: readEventsConfig, service: eventsService }
export const friendship = { readConfig: readFriendshipConfig, service: friendshipService }
export const identity = { readConfig: readIdentityConfig, service: identityService }
export const managementConsole = { readConfig: readConsoleConfig, service: consoleService }
export const profile = { readConfig: readProfileConfig, service: profileService }
export const providerAuth = { readConfig: readProviderAuthConfig, service: providerAuthService }
export const providerSimulator = { readConfig: readProviderSimulatorConfig, service: providerSimulatorService }
