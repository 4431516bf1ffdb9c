import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { LocalFailure } from '#local'

/** What was made at random once and is needed again at every start, in a file that only its owner can read. */
export interface Secrets {
  readonly read: (name: string) => string | undefined
  readonly write: (name: string, value: string) => void
  /** What was kept under the name, else what `make` makes, which is kept then. */
  readonly keep: (name: string, make: () => string) => string
}

export function openSecrets(file: string): Secrets {
  const kept = readAll(file)
  const write = (name: string, value: string) => {
    kept.set(name, value)
    writeWhole(file, `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`)
  }
  return {
    read: (name) => kept.get(name),
    write,
    keep(name, make) {
      const value = kept.get(name) ?? make()
      if (!kept.has(name)) write(name, value)
      return value
    },
  }
}

/** Writes a file for its owner's eyes that is seen either whole or not at all. */
export function writeWhole(file: string, content: string): void {
  const unfinished = `${file}.unfinished`
  writeFileSync(unfinished, content, { mode: 0o600 })
  chmodSync(unfinished, 0o600)
  renameSync(unfinished, file)
}

function readAll(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map()
  try {
    return new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8')))))
  } catch (cause) {
    throw new LocalFailure(`${file} cannot be read. Restore it, or forget everything by \`npm run reset\`.`, { cause })
  }
}
