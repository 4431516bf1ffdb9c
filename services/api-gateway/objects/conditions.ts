/** When a fault is given, as several operations have it. */
export const no_such_user = 'No user of the service has this `identifier` or `primary_key`.'
export const not_linked = 'The user is not linked to that login provider.'
