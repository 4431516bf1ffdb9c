import { open, rm } from 'node:fs/promises'
import type { Command } from 'commander'
import { exportFile } from '#admin-api'
import { apiOf } from './api.ts'
import { codeOf, connectionOf } from './connection.ts'
import { Failure } from './failure.ts'
import { fieldsOf } from './fields.ts'
import { inputOf } from './input.ts'
import type { Io } from './io.ts'
import { addFields, notesOf } from './options.ts'

/** `exports fetch`, the one command whose answer is a file. */
export const fetch_export = 'exports fetch'

export function addFetchExport(group: Command, io: Io): void {
  const fields = fieldsOf('fetchExport', exportFile)
  const command = group
    .command('fetch')
    .description(`${exportFile.summary}.`)
    .requiredOption('-o, --output <file>', 'write the ZIP here; there must be none')
    .addHelpText('after', () => notesOf('fetchExport', exportFile))
  addFields(command, fields)
  command.action(async () => {
    const options = command.optsWithGlobals()
    const input = exportFile.input.parse(await inputOf(exportFile, fields, options, io))
    const api = apiOf(await connectionOf(options, io))
    const output = String(options.output)
    const bytes = await save(output, () => api.fetchExport(input))
    io.print(options.json ? `${JSON.stringify({ file: output, bytes }, null, 2)}\n` : `${output}: ${bytes} bytes.\n`)
  })
}

/** Whole or not at all; for its owner alone. The file is there before it is asked for, as who fetched it is in the audit trail. */
async function save(path: string, ask: () => Promise<ReadableStream<Uint8Array>>): Promise<number> {
  await using file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw new Failure('usage', `--output ${path} cannot be written (${codeOf(error)}).`, { cause: error })
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
