import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createSource, type ImportSource } from '../../import-files/decode.ts'
import { CliError } from '../cli-error.ts'
import { getErrorCode } from '../error-code.ts'

/** Standard input, as most programs call it. */
const standardInput = '-'

export interface ImportFile extends ImportSource, AsyncDisposable {
  /** For the list of imports. */
  readonly name: string
}

/**
 * Opens a file, or standard input. What is piped is stored until the import ends, because the format decides whether it is read
 * twice.
 *
 * @throws CliError `usage` if it cannot be read
 */
export async function openImportFile(path: string, stdin: Readable): Promise<ImportFile> {
  await using opening = new AsyncDisposableStack()
  try {
    const isFile = path !== standardInput && (await stat(path)).isFile()
    const stored = isFile ? path : await store(path === standardInput ? stdin : createReadStream(path), opening)
    const source = createSource(await openAsBlob(stored))
    const opened = opening.move()
    const name = path === standardInput ? 'standard input' : (path.split('/').at(-1) ?? path)
    return { ...source, name: name.slice(-255), [Symbol.asyncDispose]: () => opened.disposeAsync() }
  } catch (cause) {
    throw new CliError('usage', `${path} cannot be read (${getErrorCode(cause)}).`, { cause })
  }
}

async function store(input: Readable, opening: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'social-login-import-'))
  opening.defer(() => rm(directory, { recursive: true }))
  const stored = join(directory, 'file')
  await pipeline(input, createWriteStream(stored, { mode: 0o600 }))
  return stored
}
