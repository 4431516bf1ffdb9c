import { setTimeout as delay } from 'node:timers/promises'
import type { z } from 'zod'
import type { AdminApi, AdminReasonName, UserImport } from '#admin-api'
import { type conflictRules, limits } from '#contracts'
import { divideIntoBatches, type RecordBatch } from '../../import-files/batches.ts'
import { type FileFormat, formatTitles, readImportFile } from '../../import-files/formats.ts'
import { ImportFileError } from '../../import-files/record.ts'
import type { ReadSummary } from '../../import-files/summary.ts'
import type { Api } from '../api.ts'
import { CliError } from '../cli-error.ts'
import type { ConnectionOptions } from '../connection.ts'
import { parseFormat } from '../format.ts'
import type { Io } from '../io.ts'
import { printResponse } from '../print.ts'
import { describeOmissions, toFileResult } from './omissions.ts'
import { openImportFile } from './open-file.ts'
import { createImportProgress } from './progress.ts'
import type { RejectionReport } from './report.ts'

/** Options, parsed by commander. */
export interface ImportOptions extends ConnectionOptions, Readonly<Record<string, unknown>> {
  readonly account: string
  readonly siteId: string
  readonly format?: FileFormat
  readonly conflict: (typeof conflictRules)[number]
  readonly dryRun?: boolean
  readonly resume?: string
  readonly report?: string
  readonly provider?: readonly string[]
  readonly blocked: 'reject' | 'import'
  readonly strict?: boolean
  readonly realm?: string
  readonly yes?: boolean
}

const batchLimits = { users: limits.import_batch_users, bytes: limits.import_batch_bytes }
/** Batches that are sent at the same time: the console imports one while the next one is on its way. Our choice. */
const concurrentBatches = 3
/** A batch is sent again while the console is unavailable. Our choice: about five minutes. */
const attempts = 30
const mostPauseMs = 10_000

type Progress = z.output<typeof UserImport>

interface ImportTools {
  readonly api: Api
  readonly io: Io
  readonly report: RejectionReport | undefined
}

/** Imports a file, or checks it, and prints the result. Returns the number of rejected lines. */
export async function importFile(
  path: string,
  options: ImportOptions,
  { api, io, report }: ImportTools,
): Promise<number> {
  const site = { account: options.account, site_id: options.siteId }
  await using file = await openImportFile(path, io.stdin)
  const { format, records, summary } = await readImportFile(file, {
    format: options.format,
    blocked: options.blocked,
    strict: options.strict,
    realm: options.realm,
    providers: new Map([...(await listOwnProviders(site, api)), ...parseProviders(options.provider ?? [])]),
  }).catch(throwUsage)
  if (options.realm !== undefined && format !== 'keycloak')
    throw new CliError('usage', `--realm is for files of Keycloak; ${file.name} is one of ${formatTitles[format]}.`)
  const batches = divideIntoBatches(records, batchLimits)
  // Before an import begins, so that a file that cannot be read begins none.
  const first = await batches.next().catch(throwUsage)
  if (first.done) {
    io.print(`${file.name} has no users.${summary.empty_rows > 0 ? ` Empty rows: ${summary.empty_rows}.` : ''}\n`)
    return 0
  }
  const started = await startOrResume(file.name, site, options, api)
  const name = { ...site, import_id: started.import_id }
  const progress = createImportProgress(started, file.readShare, io)
  try {
    await sendBatches(startingWith(first.value, batches), started.next_batch, async (batch) => {
      progress.show(await sendBatch({ ...name, ...batch }, api))
    })
  } catch (error) {
    progress.end()
    const hint = (await cancelEmpty(name, api)) ? '' : `\nContinue with --resume ${started.import_id}.`
    if (error instanceof ImportFileError)
      throw new CliError('usage', `${describeFileError(error)}${hint}`, { cause: error })
    if (error instanceof CliError) throw new CliError(error.exit, `${error.message}${hint}`, { cause: error })
    throw error
  }
  progress.end()
  const ended = await api.call('endImport', name)
  await report?.write(path, name, describeOmissions(summary), api)
  await printResult(ended, { ...options, format, summary }, io, report)
  return ended.rejected
}

/** Cancels an import that stored nothing, because it can as well begin again. Returns whether it did. */
async function cancelEmpty(
  name: { readonly account: string; readonly site_id: string; readonly import_id: string },
  api: Api,
): Promise<boolean> {
  try {
    const { next_batch, created, merged, replaced, skipped, rejected } = await api.call('readImport', name)
    if (next_batch + created + merged + replaced + skipped + rejected > 0) return false
    await api.call('endImport', { ...name, state: 'cancelled' })
    return true
  } catch {
    return false // unknown: the console is unavailable
  }
}

/** The providers that the site configured, which have the same names in files. */
async function listOwnProviders(
  site: { readonly account: string; readonly site_id: string },
  api: Api,
): Promise<readonly [string, string][]> {
  const { providers } = await api.call('listProviderSettings', site)
  return providers.flatMap(({ provider, definition }) => (definition === null ? [] : [[provider, provider]]))
}

/** Our provider by the name in the file. */
function parseProviders(pairs: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    pairs.map((pair): [string, string] => {
      const [name, provider, ...rest] = pair.split('=')
      if (!name || !provider || rest.length > 0)
        throw new CliError('usage', `--provider ${pair}: write <name in the file>=<provider>.`)
      return [name, provider]
    }),
  )
}

function throwUsage(error: unknown): never {
  throw error instanceof ImportFileError ? new CliError('usage', describeFileError(error), { cause: error }) : error
}

/** The options that help with an error of a file. */
const helpfulOptions: Partial<Record<AdminReasonName, string>> = {
  file_of_other_format: 'Leave out --format.',
  file_without_users: 'Leave out --format if the file is of another system.',
  file_of_several_realms: 'Use --realm.',
}

function describeFileError({ message, reason: { name } }: ImportFileError): string {
  return [message, helpfulOptions[name]].filter((part) => part !== undefined).join(' ')
}

async function* startingWith(first: RecordBatch, rest: AsyncIterable<RecordBatch>): AsyncGenerator<RecordBatch> {
  yield first
  yield* rest
}

async function startOrResume(
  fileName: string,
  site: { readonly account: string; readonly site_id: string },
  { resume, conflict, dryRun = false }: ImportOptions,
  api: Api,
): Promise<Progress> {
  if (resume === undefined) return api.call('startImport', { ...site, file_name: fileName, conflict, dry_run: dryRun })
  const storedImport = await api.call('readImport', { ...site, import_id: resume })
  if (storedImport.state === 'running') return storedImport
  throw new CliError('conflict', `The import ${resume} has ended. Start a new one without --resume.`)
}

/** Sends batches from a number on, some at the same time. Stops at the first error. */
async function sendBatches(
  batches: AsyncIterable<RecordBatch>,
  first: number,
  send: (batch: RecordBatch) => Promise<void>,
): Promise<void> {
  const sending = new Set<Promise<void>>()
  try {
    for await (const batch of batches) {
      if (batch.number < first) continue
      if (sending.size === concurrentBatches) await Promise.race(sending)
      const sent = send(batch).finally(() => sending.delete(sent))
      sending.add(sent)
      // The rejection is thrown by the race or at the end.
      sent.catch(() => {})
    }
    await Promise.all(sending)
  } finally {
    // So that what was stored is known.
    await Promise.allSettled(sending)
  }
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

interface ReadResult extends Omit<ImportOptions, 'format'> {
  readonly format: FileFormat
  readonly summary: ReadSummary
}

async function printResult(
  ended: Progress,
  options: ReadResult,
  io: Io,
  report: RejectionReport | undefined,
): Promise<void> {
  const { summary, format } = options
  if (parseFormat(options) !== 'table')
    return printResponse({ ...ended, file: toFileResult(format, summary) }, options, io)
  const { created, merged, replaced, skipped, rejected, dry_run } = ended
  const counts = { created, merged, replaced, skipped, rejected }
  const listed = Object.entries(counts).map(([outcome, count]) => `${outcome}: ${count}`)
  io.print(`${dry_run ? 'Dry run, nothing was changed. ' : ''}${listed.join(', ')}.\n`)
  for (const line of [
    ...(format === 'ndjson' ? [] : [`Read as ${formatTitles[format]}.`]),
    ...describeOmissions(summary),
  ])
    io.printError(`${line}\n`)
  if (rejected > 0)
    io.printError(
      report === undefined
        ? `Show the reasons: social-login imports rejections --account ${options.account} --site-id ${options.siteId} --import-id ${ended.import_id}\n`
        : `${report.path} lists the rejected lines with their reasons.\n`,
    )
}
