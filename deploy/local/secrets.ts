import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { SetupError } from '#local'

/** Random secrets that every start needs again, in a file that only its owner can read. */
export interface Secrets {
  readonly read: (name: string) => string | undefined
  readonly write: (name: string, value: string) => void
  /** Returns the stored value, or stores and returns a new one. */
  readonly getOrCreate: (name: string, create: () => string) => string
}

export function openSecrets(file: string): Secrets {
  const stored = readAll(file)
  const write = (name: string, value: string) => {
    stored.set(name, value)
    writeFileAtomically(file, `${JSON.stringify(Object.fromEntries(stored), undefined, 2)}\n`)
  }
  return {
    read: (name) => stored.get(name),
    write,
    getOrCreate(name, create) {
      const value = stored.get(name) ?? create()
      if (!stored.has(name)) write(name, value)
      return value
    },
  }
}

/** Writes a private file atomically: readers see either the old or the new content. */
export function writeFileAtomically(file: string, content: string): void {
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
    throw new SetupError(`${file} cannot be read. Restore it, or delete all data with \`npm run reset\`.`, { cause })
  }
}
