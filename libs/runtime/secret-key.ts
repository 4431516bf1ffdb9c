import { z } from 'zod'

/**
 * A key of 32 bytes in base64. Guessable keys are rejected in every environment, not only in production, because deployments
 * keep the key they started with.
 */
export const SecretKey = z.string().transform((text, context) => {
  const key = Buffer.from(text, 'base64')
  const problem =
    key.length !== 32 || key.toString('base64') !== text
      ? 'must be the base64 of 32 bytes'
      : isGuessable(key)
        ? 'is a sample or guessable key; make one with: openssl rand -base64 32'
        : undefined
  if (problem === undefined) return key
  context.addIssue({ code: 'custom', message: problem })
  return z.NEVER
})

/** Keys from our documentation or well-known examples. */
const samples: readonly string[] = [
  'c2FtcGxlLWtleS1kby1ub3QtdXNlLW1lLTMyLWJ5dGU=', // docs/operate/encryption.md
  'ABEiM0RVZneImaq7zN3u/wARIjNEVWZ3iJmqu8zd7v8=', // 00112233…ff, twice
  'YD3rEBXKcb4rc67whX13gR81LAc7YQjXLZgQowkU3/Q=', // NIST SP 800-38A, F.1.5
]

/** The probability that 32 random bytes have fewer distinct values is below 10^-12. */
const minimumDistinctBytes = 16

/** Whether a key is a known sample, of few values (all bytes equal), a sequence (0, 1, 2, …), or text. */
function isGuessable(key: Buffer): boolean {
  const steps = new Set(key.subarray(1).map((byte, index) => byte - (key[index] ?? 0)))
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f)
  return (
    samples.includes(key.toString('base64')) || new Set(key).size < minimumDistinctBytes || steps.size === 1 || isText
  )
}
