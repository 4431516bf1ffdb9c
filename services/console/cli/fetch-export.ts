import { open, rm } from 'node:fs/promises'
import { exportFile } from '#admin-api'
import { createApi } from './api.ts'
import { CliError } from './cli-error.ts'
import { resolveConnection } from './connection.ts'
import { getErrorCode } from './error-code.ts'
import { listFields } from './fields.ts'
import { parseFormat } from './format.ts'
import { readCommandInput } from './input.ts'
import type { Io } from './io.ts'
import { printResponse } from './print.ts'

/** The only command whose response is a file. */
export const fetchExportCommand = 'exports fetch'

/** @param options parsed by commander */
export async function fetchExport(options: Readonly<Record<string, unknown>>, io: Io): Promise<void> {
  const fields = listFields(exportFile)
  const input = exportFile.input.parse(await readCommandInput(exportFile, fields, options, io))
  const api = createApi(await resolveConnection(options, io))
  const to = String(options.to)
  const bytes = await saveFile(to, () => api.fetchExport(input))
  if (parseFormat(options) === 'table') io.print(`${to}: ${bytes} bytes.\n`)
  else await printResponse({ file: to, bytes }, options, io)
}

/**
 * Writes the complete file, readable by its owner only, or no file. The file is created before the download, so that a path that cannot
 * be written causes no entry in the audit trail.
 */
async function saveFile(path: string, fetchFile: () => Promise<ReadableStream<Uint8Array>>): Promise<number> {
  await using file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw new CliError(
      'usage',
      `--to ${path} cannot be written (${getErrorCode(error)}). Choose a new file in a directory you can write to.`,
      { cause: error },
    )
  })
  try {
    await file.writeFile(await fetchFile())
    return (await file.stat()).size
  } catch (cause) {
    await rm(path)
    if (cause instanceof CliError) throw cause
    const message = `The download was interrupted (${getErrorCode(cause)}), and the partial file was deleted. Fetch it again.`
    throw new CliError('unavailable', message, { cause })
  }
}
