/** The time at the login providers, in milliseconds. Tests let it pass without moving the clock of the process, which other services read. */
export const simulatedClock: { now: () => number } = { now: () => Date.now() }
