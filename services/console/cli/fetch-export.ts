import { open, rm } from 'node:fs/promises'
import { exportFile } from '#admin-api'
import { apiOf } from './api.ts'
import { connectionOf } from './connection.ts'
import { codeOf } from './error-code.ts'
import { Failure } from './failure.ts'
import { fieldsOf } from './fields.ts'
import { formatOf } from './format.ts'
import { inputOf } from './input.ts'
import type { Io } from './io.ts'
import { printed } from './print.ts'

/** `exports fetch`, the one command whose answer is a file. */
export const fetchExportCommand = 'exports fetch'

/** @param options as parsed by commander */
export async function fetchExport(options: Readonly<Record<string, unknown>>, io: Io): Promise<void> {
  const fields = fieldsOf('fetchExport', exportFile)
  const input = exportFile.input.parse(await inputOf(exportFile, fields, options, io))
  const api = apiOf(await connectionOf(options, io))
  const to = String(options.to)
  const bytes = await save(to, () => api.fetchExport(input))
  if (formatOf(options) === 'table') io.print(`${to}: ${bytes} bytes.\n`)
  else await printed({ file: to, bytes }, options, io)
}

/** Whole or not at all; for its owner alone. The file is there before it is asked for, as who fetched it is in the audit trail. */
async function save(path: string, ask: () => Promise<ReadableStream<Uint8Array>>): Promise<number> {
  await using file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw new Failure('usage', `--to ${path} cannot be written (${codeOf(error)}).`, { cause: error })
  })
  try {
    await file.writeFile(await ask())
    return (await file.stat()).size
  } catch (cause) {
    await rm(path)
    if (cause instanceof Failure) throw cause
    const message = `The file broke off (${codeOf(cause)}), and is removed. Fetch it again.`
    throw new Failure('unavailable', message, { cause })
  }
}
