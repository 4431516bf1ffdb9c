import type { EncryptionKeyUsage } from './encrypted-values.ts'

interface UsageNotes {
  /** The ID of the key that encrypts. */
  readonly current: string
  /** Which values expire by themselves, by what they are stored in, as ` (deleted …)`. */
  readonly expiryNotes: Readonly<Record<string, string>>
  /** What keys may encrypt that is not in the database. */
  readonly elsewhere: string
}

/** Describes for operators what each key encrypts, and which of these values expire by themselves. */
export function describeKeyUsage(
  usage: readonly EncryptionKeyUsage[],
  { current, expiryNotes, elsewhere }: UsageNotes,
): string {
  const ids = [...new Set([current, ...usage.map(({ key_id }) => key_id)])]
  const lines = ids.map((id) => {
    const ofKey = usage.filter(({ key_id }) => key_id === id)
    const usages = ofKey
      .map(({ stored_in, values }) => `${stored_in} ${values}${expiryNotes[stored_in] ?? ''}`)
      .join(', ')
    return `  ${id}${id === current ? ' (current key)' : ''}: ${usages || 'not used yet'}\n`
  })
  return `In use:\n${lines.join('')}Keys that are not listed encrypt nothing in the database. ${elsewhere}`
}
