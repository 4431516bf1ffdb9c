import { open } from 'node:fs/promises'
import { CliError } from './cli-error.ts'
import { getErrorCode } from './error-code.ts'

/** A file with one JSON object per line that only its owner can read. */
export interface SecretsFile extends AsyncDisposable {
  /** Resolves when the line is on disk. */
  readonly append: (line: Readonly<Record<string, unknown>>) => Promise<void>
}

/**
 * Opens the file before a secret is issued, so that no secret is lost. Existing lines stay.
 *
 * @throws CliError `usage` if the file cannot be written, or others can read it
 */
export async function openSecretsFile(path: string): Promise<SecretsFile> {
  const file = await open(path, 'a', 0o600).catch((error: unknown) => {
    throw new CliError(
      'usage',
      `--secrets-out ${path} cannot be written (${getErrorCode(error)}). Nothing was changed.`,
      {
        cause: error,
      },
    )
  })
  const { mode } = await file.stat()
  if ((mode & 0o077) !== 0) {
    await file.close()
    throw new CliError(
      'usage',
      `--secrets-out ${path} can be read by others. Run "chmod 600 ${path}". Nothing was changed.`,
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
