import { expect } from 'vitest'

/** Patterns of values that differ in each run. */
export const identifierPattern = expect.stringMatching(/^[0-9a-f]{40}$/)
export const timestampPattern = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)
export const secretPattern = expect.stringMatching(/^\S{8,}$/)
export const unknownIdentifier = '0123456789abcdef0123456789abcdef01234567'
