import { open } from 'node:fs/promises'
import { codeOf } from './error-code.ts'
import { Failure } from './failure.ts'

/** A file of one JSON object a line, that its owner alone can read. */
export interface SecretsFile extends AsyncDisposable {
  /** Resolves when the line is on disk. */
  readonly append: (line: Readonly<Record<string, unknown>>) => Promise<void>
}

/**
 * Opens the file before anything is issued, so that no secret is without a place; what it holds stays.
 *
 * @throws Failure `usage`: it cannot be written, or others may read it
 */
export async function openSecretsFile(path: string): Promise<SecretsFile> {
  const file = await open(path, 'a', 0o600).catch((error: unknown) => {
    throw new Failure('usage', `--secrets-out ${path} cannot be written (${codeOf(error)}). Nothing was done.`, {
      cause: error,
    })
  })
  const { mode } = await file.stat()
  if ((mode & 0o077) !== 0) {
    await file.close()
    throw new Failure(
      'usage',
      `--secrets-out ${path} can be read by others. Say "chmod 600 ${path}". Nothing was done.`,
    )
  }
  return {
    append: async (line) => {
      await file.appendFile(`${JSON.stringify(line)}\n`)
      await file.sync()
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}
