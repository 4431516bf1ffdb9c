import { defineBusInterface } from '#bus'
import { profile } from '#contracts'

/** What profile answers on the bus, and no more: it asks nobody. */
export const busInterface = defineBusInterface({ name: 'profile', serves: profile, calls: {}, subscribes: [] })
