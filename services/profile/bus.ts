import { defineBusInterface } from '#bus'
import { profileContract } from '#contracts'

/** The bus interface of profile, which calls no other service. */
export const busInterface = defineBusInterface({ name: 'profile', serves: profileContract, calls: {}, subscribes: [] })
