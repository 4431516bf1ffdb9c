import { z } from 'zod'

/** A claim that is a text with something in it; anything else counts as not told, for a login does not hang on it. */
export const text = z.string().min(1).max(65_535).optional().catch(undefined)
