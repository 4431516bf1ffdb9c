import type { Station } from '#bus'
import { place as apiGateway } from '../../services/api-gateway/station.ts'
import { place as managementConsole } from '../../services/console/station.ts'
import { place as friendship } from '../../services/friendship/station.ts'
import { place as identity } from '../../services/identity/station.ts'
import { place as profile } from '../../services/profile/station.ts'
import { place as providerAuth } from '../../services/provider-auth/station.ts'

/** Everyone on the bus. */
export const stations: readonly Station[] = [apiGateway, identity, profile, providerAuth, friendship, managementConsole]
