import { expect } from 'vitest'

/** Shapes of values that differ from run to run. */
export const an_identifier = expect.stringMatching(/^[0-9a-f]{40}$/)
export const a_timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
export const a_secret = expect.stringMatching(/^\S{8,}$/)
export const nobody = '0123456789abcdef0123456789abcdef01234567'
