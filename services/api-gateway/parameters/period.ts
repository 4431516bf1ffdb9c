import { z } from 'zod'
import { limits } from '#contracts'

const secondsOf = { s: 1, m: 60, h: 3_600, d: 86_400 } as const

/** A period as sent by the caller, with its length. */
export interface Period {
  readonly text: string
  readonly seconds: number
}

/** `<positive integer><s|m|h|d>`, at most ten years (our choice). */
export const Period = z
  .string()
  .regex(/^[1-9]\d{0,8}[smhd]$/)
  .transform((text): Period => {
    // The pattern allows only these four units.
    const unit = text.slice(-1) as keyof typeof secondsOf
    return { text, seconds: Number(text.slice(0, -1)) * secondsOf[unit] }
  })
  .refine(({ seconds }) => seconds <= limits.period_maximum_seconds)
