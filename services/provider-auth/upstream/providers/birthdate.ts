import { z } from 'zod'

/**
 * The claim `birthdate` as a birthday. A year only is not a birthday; nor is a day without a year (OpenID Connect Core
 * 5.1).
 */
export const birthdate = z.iso
  .date()
  .refine((date) => !date.startsWith('0000'))
  .optional()
  .catch(undefined)
