import type { Knex } from 'knex'
import { type Place, SealBroken, type Sealer } from '#runtime'
import { sealedSettings } from '../store/provider-settings.ts'
import { sealedCredentials } from '../store/sealed-credentials.ts'
import { listRows, type SealedTable } from '../store/sealed-values.ts'
import { sealedSigningKeys } from '../store/signing-keys.ts'

export interface Checked {
  readonly table: string
  readonly opened: number
  /** Where values are that cannot be opened, each with the reason. */
  readonly broken: readonly { readonly place: Place; readonly reason: string }[]
}

/** Opens everything that is kept for long, and changes nothing. */
export async function checkVault(base: Base): Promise<Checked[]> {
  return [
    await checkTable(base, sealedSigningKeys),
    await checkTable(base, sealedSettings),
    await checkTable(base, sealedCredentials),
  ]
}

interface Base {
  readonly knex: Knex
  readonly sealer: Sealer
}

async function checkTable<Key extends object>({ knex, sealer }: Base, table: SealedTable<Key>): Promise<Checked> {
  let opened = 0
  const broken: { place: Place; reason: string }[] = []
  for await (const { key, values } of listRows(knex, table)) {
    for (const [column, value] of values) {
      const place = table.placeOf(key, column)
      try {
        await sealer.open(value, place)
        opened++
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error
        broken.push({ place, reason: error.message })
      }
    }
  }
  return { table: table.table, opened, broken }
}
