import { defineBusInterface } from '#bus'
import { profile } from '#contracts'

/** The bus interface of profile, which calls no other service. */
export const busInterface = defineBusInterface({ name: 'profile', serves: profile, calls: {}, subscribes: [] })
