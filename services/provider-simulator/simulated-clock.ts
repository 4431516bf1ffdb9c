/** The time of the login providers, in milliseconds. An object, because tests let it pass; other services of the process have their own. */
export const simulatedClock: { now: () => number } = { now: () => Date.now() }
