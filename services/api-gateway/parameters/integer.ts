import { z } from 'zod'

/** An integer in decimal digits, without sign, leading zeros or exponent. Our choice: at most nine digits. */
export function integer({ from, to }: { from: number; to: number }) {
  return z
    .string()
    .regex(/^(?:0|[1-9]\d{0,8})$/)
    .transform(Number)
    .pipe(z.int().min(from).max(to))
}
