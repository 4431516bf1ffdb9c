import { Text } from '#contracts'

/**
 * A text claim that is not empty and that Postgres can store. Anything else counts as absent, so that it does not fail
 * the login.
 */
export const optionalText = Text.min(1).max(65_535).optional().catch(undefined)
