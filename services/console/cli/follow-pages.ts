import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { CliError } from './cli-error.ts'
import type { Io } from './io.ts'

/** Pause between looks for entries, and while the console is unavailable. Our choice. */
const pollMs = 1_000
const unavailableMs = 5_000

interface Page<E> {
  readonly entries: readonly E[]
  readonly next_after: string
  /** Whether there are more entries now. */
  readonly more: boolean
}

/**
 * Yields entries as they appear. While the console is unavailable, it waits, and then continues after the last entry.
 *
 * @param read reads the entries after a position; undefined: from the oldest
 * @throws CliError if the first read fails
 */
export async function* followPages<E>(
  read: (after: string | undefined) => Promise<Page<E>>,
  { after: first, limit }: { readonly after: string | undefined; readonly limit: number },
  io: Io,
): AsyncGenerator<E> {
  let after = first
  let isFirst = true
  for (let count = 0; count < limit; ) {
    const page = await readOrWait(() => read(after), isFirst ? undefined : io)
    isFirst = false
    for (const entry of page?.entries ?? []) {
      yield entry
      if (++count === limit) return
    }
    after = page?.next_after ?? after
    if (!page?.more) await delay(page === undefined ? unavailableMs : pollMs)
  }
}

/** @param io for a message while the console is unavailable; without it, this is an error */
async function readOrWait<P>(read: () => Promise<P>, io: Io | undefined): Promise<P | undefined> {
  try {
    return await read()
  } catch (error) {
    if (io === undefined || !(error instanceof CliError) || error.exit !== 'unavailable') throw error
    io.printError(`${error.message} Trying again.\n`)
    return undefined
  }
}

const Count = z.coerce.number().pipe(z.int().min(1))

/** Parses `--limit`; without it, there is no end. @throws CliError `usage` */
export function parseFollowLimit(text: string | undefined): number {
  return text === undefined ? Number.POSITIVE_INFINITY : parseOption('limit', Count, text)
}

/** @throws CliError `usage` */
export function parseOption<T>(name: string, schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(text)
  if (!parsed.success) throw new CliError('usage', `--${name}: ${parsed.error.issues[0]?.message ?? 'is invalid'}`)
  return parsed.data
}
