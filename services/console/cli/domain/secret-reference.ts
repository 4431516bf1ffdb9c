import { z } from 'zod'

/** Where to read a secret from. */
export const SecretReference = z.union(
  [
    z.strictObject({ from_env: z.string().regex(/^[A-Za-z_]\w*$/, 'is not the name of a variable') }),
    z.strictObject({ from_file: z.string().min(1) }),
  ],
  { error: 'must be { from_env: NAME } or { from_file: path }, because files must not contain secrets' },
)
export type SecretReference = z.infer<typeof SecretReference>
