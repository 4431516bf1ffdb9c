import { importBatch } from 'virtual:contract'
import type { ReadSummary } from '../../../import-files/summary.ts'
import { call } from '../../admin/call.ts'
import { toFault } from '../../admin/fault.ts'
import type { SiteReference, UserImport } from '../../admin/types.ts'
import { type FileOptions, toReadOptions } from './file-options.ts'

/** How far a file was sent. */
export interface SentShare {
  readonly imported: UserImport
  /** 0 to 1. */
  readonly share: number
}

/** A batch is sent again while the console is unreachable or unavailable. Our choice: about five minutes. */
const attempts = 30
const pauseMs = 10_000

/** Sends the batches of a file that are not imported yet, then ends the import. Returns what the file left out. */
export async function sendFile(
  site: SiteReference,
  started: UserImport,
  file: File,
  options: FileOptions,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (sent: SentShare) => void },
): Promise<ReadSummary> {
  const name = { ...site, import_id: started.import_id }
  const { createSource, divideIntoBatches, readImportFile } = await import('./reader.ts')
  const source = createSource(file)
  const { records, summary } = await readImportFile(source, toReadOptions(options))
  for await (const batch of divideIntoBatches(records, importBatch)) {
    signal.throwIfAborted()
    if (batch.number < started.next_batch) continue
    const imported = await repeat(() => call('sendImportBatch', { ...name, ...batch }, { signal }), signal)
    onProgress({ imported, share: source.readShare() })
  }
  await repeat(() => call('endImport', name, { signal }), signal)
  return summary
}

async function repeat<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request()
    } catch (error) {
      const isTemporary = ['unreachable', 'unavailable'].includes(toFault(error).fault)
      if (!isTemporary || attempt === attempts || signal.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}
