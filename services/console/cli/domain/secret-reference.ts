import { z } from 'zod'

/** A file with a secret. A class, because other values of a file, such as JSON Schemas, can have the same form. */
export class SecretFile {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }
}

/** Where to read a secret from. */
export const SecretReference = z.union(
  [
    z.strictObject({ from_env: z.string().regex(/^[A-Za-z_]\w*$/, 'is not the name of a variable') }),
    z.strictObject({ from_file: z.string().min(1) }).transform(({ from_file }) => new SecretFile(from_file)),
  ],
  { error: 'must be { from_env: NAME } or { from_file: path }, because files must not contain secrets' },
)
export type SecretReference = z.infer<typeof SecretReference>
