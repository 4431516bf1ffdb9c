import { z } from 'zod'
import { MetadataPart, parseLosslessJson, UnstorableJson } from '#contracts'

/** A part of a user's metadata, or a patch of it, as JSON text. */
export const MetadataText = z
  .string()
  .transform((text, context) => {
    try {
      return parseLosslessJson(text)
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof UnstorableJson)) throw error
      context.addIssue({ code: 'custom', message: 'must be JSON' })
      return z.NEVER
    }
  })
  .pipe(MetadataPart)
