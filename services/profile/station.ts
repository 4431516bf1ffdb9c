import { station } from '#bus'
import { profile } from '#contracts'

/** What profile answers on the bus, and no more: it asks nobody. */
export const place = station({ name: 'profile', fulfils: profile, asks: {}, hears: [] })
