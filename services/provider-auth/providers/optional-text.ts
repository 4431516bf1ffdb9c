import { Text } from '#contracts'

/**
 * A claim that is a text with something in it, and such that Postgres can keep it. Anything else counts as not told, for a
 * login does not hang on it.
 */
export const optionalText = Text.min(1).max(65_535).optional().catch(undefined)
