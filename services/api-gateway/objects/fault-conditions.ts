/** Conditions of faults that several operations share. */
export const noSuchUser = 'No user of the service has this `identifier` or `primary_key`.'
export const notLinked = 'The user is not linked to that login provider.'
