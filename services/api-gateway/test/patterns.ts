import { expect } from 'vitest'

/** Shapes of values that differ from run to run. */
export const anIdentifier = expect.stringMatching(/^[0-9a-f]{40}$/)
export const aTimestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
export const aSecret = expect.stringMatching(/^\S{8,}$/)
export const nobody = '0123456789abcdef0123456789abcdef01234567'
