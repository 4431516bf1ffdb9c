import { useEffect, useRef, useState } from 'react'
import type { ReadSummary } from '../../../import-files/summary.ts'
import { RequestFault, toFault } from '../../admin/fault.ts'
import { queryClient } from '../../admin/queries.ts'
import type { SiteReference, UserImport } from '../../admin/types.ts'
import { loadReasonTexts } from '../../texts/reasons.ts'
import type { FileOptions } from './file-options.ts'
import { toFileProblem } from './file-problem.ts'
import { type SentShare, sendFile } from './send-file.ts'

/** The file that this page sends. It ends with the page; the import can be continued then. */
export interface Sending {
  /** Undefined if no file is being sent. */
  readonly sent: SentShare | undefined
  /** Why sending the last file ended. */
  readonly fault: RequestFault | undefined
  /** What the last file left out. */
  readonly summary: ReadSummary | undefined
  readonly send: (started: UserImport, file: File, options: FileOptions) => void
  readonly stop: () => void
}

export function useSending(site: SiteReference): Sending {
  const [sent, setSent] = useState<SentShare>()
  const [fault, setFault] = useState<RequestFault>()
  const [summary, setSummary] = useState<ReadSummary>()
  const controller = useRef<AbortController>(null)
  const stop = () => controller.current?.abort()
  useEffect(() => () => controller.current?.abort(), [])
  const run = async (started: UserImport, file: File, options: FileOptions) => {
    const aborting = new AbortController()
    controller.current = aborting
    const { signal } = aborting
    setFault(undefined)
    setSummary(undefined)
    setSent({ imported: started, share: 0 })
    try {
      setSummary(await sendFile(site, started, file, options, { signal, onProgress: setSent }))
    } catch (error) {
      if (!signal.aborted) setFault(await toSendingFault(error))
    } finally {
      setSent(undefined)
      await queryClient.invalidateQueries()
    }
  }
  return { sent, fault, summary, stop, send: (...sending) => void run(...sending) }
}

async function toSendingFault(error: unknown): Promise<RequestFault> {
  if (!(error instanceof Error) || error.name !== 'ImportFileError') return toFault(error)
  const { name, parameters } = toFileProblem(error)
  const translate = await loadReasonTexts()
  return new RequestFault('invalid_request', translate(name, parameters) ?? error.message)
}
