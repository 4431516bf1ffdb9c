/** Requests in flight of the comparisons: one customer, a usual load, and a backlog. */
export const loadLevels = [1, 8, 64] as const
