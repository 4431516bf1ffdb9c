import { readFile } from 'node:fs/promises'
import type { SecretReference } from './domain/secret-reference.ts'
import { getErrorCode } from './error-code.ts'
import type { Io } from './io.ts'

/** Reads a secret from the environment or a file. @throws Error that says what is missing */
export async function readSecret(reference: SecretReference, { environment }: Io): Promise<string> {
  if ('from_env' in reference) {
    const value = environment[reference.from_env]
    if (!value) throw new Error(`${reference.from_env} is not set in the environment`)
    return value
  }
  const text = await readFile(reference.path, 'utf8').catch((error: unknown) => {
    throw new Error(`${reference.path} cannot be read (${getErrorCode(error)})`)
  })
  const value = text.replace(/\r?\n$/, '')
  if (value === '') throw new Error(`${reference.path} is empty`)
  return value
}
