import type { z } from 'zod'
import type { UserImport } from '#admin-api'
import type { Io } from '../io.ts'

/** Shows the progress of an import in a terminal. */
export interface ImportProgress {
  readonly show: (imported: z.output<typeof UserImport>) => void
  readonly end: () => void
}

/** How often the line is updated, in ms. Our choice. */
const intervalMs = 500

/**
 * Shows lines, their rate and the remaining time; to standard error, so that the result can be redirected.
 *
 * @param readShare how much of the file was read, 0 to 1
 */
export function createImportProgress(
  started: z.output<typeof UserImport>,
  readShare: () => number,
  io: Io,
): ImportProgress {
  const startedAt = performance.now()
  const linesBefore = countLines(started)
  let shownAt = 0
  let isShown = false
  return {
    show(imported) {
      const now = performance.now()
      if (!io.interactive || now - shownAt < intervalMs) return
      shownAt = now
      isShown = true
      const lines = countLines(imported)
      const rate = Math.round(((lines - linesBefore) * 1_000) / (now - startedAt))
      const share = readShare()
      const left = formatSeconds(((now - startedAt) * (1 - share)) / Math.max(share, 0.001) / 1_000)
      io.printError(
        `\r${lines} lines (${Math.floor(share * 100)} %), ${rate} per second, ${imported.rejected} rejected, ${left} left\u001b[K`,
      )
    },
    end() {
      if (isShown) io.printError('\n')
    },
  }
}

function countLines({ created, merged, replaced, skipped, rejected }: z.output<typeof UserImport>): number {
  return created + merged + replaced + skipped + rejected
}

function formatSeconds(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}
