import type { BusInterface } from '#bus'
import { busInterface as apiGateway } from '../../services/api-gateway/bus.ts'
import { busInterface as managementConsole } from '../../services/console/bus.ts'
import { busInterface as events } from '../../services/events/bus.ts'
import { busInterface as friendship } from '../../services/friendship/bus.ts'
import { busInterface as identity } from '../../services/identity/bus.ts'
import { busInterface as profile } from '../../services/profile/bus.ts'
import { busInterface as providerAuth } from '../../services/provider-auth/bus.ts'

/** The bus interfaces of all services. */
export const busInterfaces: readonly BusInterface[] = [
  apiGateway,
  identity,
  profile,
  providerAuth,
  friendship,
  events,
  managementConsole,
]
