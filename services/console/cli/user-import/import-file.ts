import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import type { AdminApi, UserImport } from '#admin-api'
import { type conflictRules, limits } from '#contracts'
import { divideIntoBatches, type RecordBatch } from '../../import-files/batches.ts'
import { readRecords } from '../../import-files/formats.ts'
import { ImportFileError } from '../../import-files/record.ts'
import { type Api, createApi } from '../api.ts'
import { CliError, CliExit } from '../cli-error.ts'
import { confirmInTerminal } from '../confirm.ts'
import { type ConnectionOptions, resolveConnection } from '../connection.ts'
import { parseFormat } from '../format.ts'
import type { Io } from '../io.ts'
import { printResponse } from '../print.ts'
import { openImportFile } from './open-file.ts'
import { createImportProgress } from './progress.ts'
import { writeReport } from './report.ts'

/** Options, parsed by commander. */
export interface ImportOptions extends ConnectionOptions, Readonly<Record<string, unknown>> {
  readonly account: string
  readonly siteId: string
  readonly format: string
  readonly conflict: (typeof conflictRules)[number]
  readonly dryRun?: boolean
  readonly resume?: string
  readonly report?: string
  readonly provider?: readonly string[]
  readonly yes?: boolean
}

const batchLimits = { users: limits.import_batch_users, bytes: limits.import_batch_bytes }
/** Batches that are sent at the same time: the console imports one while the next one is on its way. Our choice. */
const concurrentBatches = 3
/** A batch is sent again while the console is unavailable. Our choice: about five minutes. */
const attempts = 30
const mostPauseMs = 10_000

type Progress = z.output<typeof UserImport>

/** Imports a file, or checks it. */
export async function importFile(file: string, options: ImportOptions, io: Io): Promise<void> {
  const site = { account: options.account, site_id: options.siteId }
  const { content, readShare } = await openImportFile(file)
  const records = readRecords(content, options)
  const api = createApi(await resolveConnection(options, io))
  if (!options.dryRun && io.interactive && !options.yes && options.resume === undefined)
    await confirmInTerminal(`Import the users of ${file} into ${site.account}/${site.site_id}. Continue?`, io)
  const started = await startOrResume(file, site, options, api)
  const name = { ...site, import_id: started.import_id }
  const hint = `Continue with --resume ${started.import_id}.`
  const progress = createImportProgress(started, readShare, io)
  try {
    await sendBatches(divideIntoBatches(records, batchLimits), started.next_batch, async (batch) => {
      progress.show(await sendBatch({ ...name, ...batch }, api))
    })
  } catch (error) {
    progress.end()
    if (error instanceof ImportFileError) throw new CliError('usage', `${error.message}\n${hint}`, { cause: error })
    if (error instanceof CliError) throw new CliError(error.exit, `${error.message}\n${hint}`, { cause: error })
    throw error
  }
  progress.end()
  const ended = await api.call('endImport', name)
  if (options.report !== undefined) await writeReport(options.report, name, api)
  await printResult(ended, options, io)
  if (ended.rejected > 0) throw new CliExit('differs')
}

async function startOrResume(
  file: string,
  site: { readonly account: string; readonly site_id: string },
  { resume, conflict, dryRun = false }: ImportOptions,
  api: Api,
): Promise<Progress> {
  if (resume === undefined) {
    const fileName = file.split('/').at(-1) ?? file
    return api.call('startImport', { ...site, file_name: fileName.slice(-255), conflict, dry_run: dryRun })
  }
  const found = await api.call('readImport', { ...site, import_id: resume })
  if (found.state === 'running') return found
  throw new CliError('conflict', `The import ${resume} has ended. Start a new one without --resume.`)
}

/** Sends batches from a number on, some at the same time. Stops at the first error. */
async function sendBatches(
  batches: AsyncIterable<RecordBatch>,
  first: number,
  send: (batch: RecordBatch) => Promise<void>,
): Promise<void> {
  const sending = new Set<Promise<void>>()
  for await (const batch of batches) {
    if (batch.number < first) continue
    if (sending.size === concurrentBatches) await Promise.race(sending)
    const sent = send(batch).finally(() => sending.delete(sent))
    sending.add(sent)
    // The rejection is thrown by the race or at the end.
    sent.catch(() => {})
  }
  await Promise.all(sending)
}

async function sendBatch(batch: z.input<AdminApi['sendImportBatch']['input']>, api: Api): Promise<Progress> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await api.call('sendImportBatch', batch)
    } catch (error) {
      if (!(error instanceof CliError) || error.exit !== 'unavailable' || attempt === attempts) throw error
      await delay(Math.min(mostPauseMs, 250 * 2 ** attempt))
    }
  }
}

async function printResult(ended: Progress, options: ImportOptions, io: Io): Promise<void> {
  if (parseFormat(options) !== 'table') return printResponse(ended, options, io)
  const { created, merged, replaced, skipped, rejected, dry_run } = ended
  const counts = { created, merged, replaced, skipped, rejected }
  const listed = Object.entries(counts).map(([outcome, count]) => `${outcome}: ${count}`)
  io.print(`${dry_run ? 'Dry run, nothing was changed. ' : ''}${listed.join(', ')}.\n`)
  if (rejected > 0)
    io.printError(
      options.report === undefined
        ? `Show the reasons: social-login imports rejections --account ${options.account} --site-id ${options.siteId} --import-id ${ended.import_id}\n`
        : `${options.report} lists the rejected lines with their reasons.\n`,
    )
}
