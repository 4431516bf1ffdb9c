/** What decides whether a user's data may be stored. */
export interface StoringRules {
  readonly forgotten: boolean
  readonly prohibited: boolean
  /** When the user's data were last deleted. */
  readonly data_deleted_at: Date | null
}

/**
 * Whether data that a provider supplied at a time may be stored: not of a user who was deleted or prohibits it, and not
 * what was supplied before the user's data were deleted and comes late.
 *
 * @param obtained_at known to the second, as it travels
 */
export function mayStore({ forgotten, prohibited, data_deleted_at }: StoringRules, obtained_at: Date): boolean {
  if (forgotten || prohibited) return false
  return data_deleted_at === null || obtained_at.getTime() >= wholeSeconds(data_deleted_at)
}

function wholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000) * 1_000
}
