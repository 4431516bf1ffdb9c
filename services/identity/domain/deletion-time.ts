const dayMs = 86_400_000

/** When a user is deleted whose deletion was requested or announced at a time. A day has 24 hours. */
export function deletionTimeOf(requestedAt: Date, waitingDays: number): Date {
  return new Date(requestedAt.getTime() + waitingDays * dayMs)
}
