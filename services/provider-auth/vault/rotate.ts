import type { Knex } from 'knex'
import { type Place, SealBroken, type Sealer } from '#runtime'
import { sealedSettings } from '../store/provider-settings.ts'
import { sealedCredentials } from '../store/sealed-credentials.ts'
import { batchRows, listStaleRows, replaceValues, type SealedRow, type SealedTable } from '../store/sealed-values.ts'
import { sealedSigningKeys } from '../store/signing-keys.ts'

export interface Rotated {
  readonly table: string
  readonly resealed: number
  /** Places of values that cannot be opened; they are as they were. */
  readonly broken: readonly Place[]
}

/**
 * Seals everything that is kept for long anew, under the present key of the ring, while logins go on.
 * A value is replaced if it is still the one that was read, so nothing is lost that a login wrote meanwhile. What is sealed
 * under the present key is passed over: broken off and run again, it goes on.
 *
 * @param tell hears after each batch how far it has come in a table
 */
export async function rotateVault(base: Base, tell: (progress: Rotated) => void): Promise<Rotated[]> {
  return [
    await rotateTable(base, sealedSigningKeys, tell),
    await rotateTable(base, sealedSettings, tell),
    await rotateTable(base, sealedCredentials, tell),
  ]
}

interface Base {
  readonly knex: Knex
  readonly sealer: Sealer
}

async function rotateTable<Key extends object>(
  base: Base,
  table: SealedTable<Key>,
  tell: (progress: Rotated) => void,
): Promise<Rotated> {
  let rotated: Rotated = { table: table.table, resealed: 0, broken: [] }
  for (let after: Key | undefined; ; ) {
    const rows = await listStaleRows(base.knex, table, base.sealer.head(), { after, most: batchRows })
    const done = await Promise.all(rows.map((row) => resealRow(base, table, row)))
    rotated = {
      ...rotated,
      resealed: done.reduce((sum, { resealed }) => sum + resealed, rotated.resealed),
      broken: [...rotated.broken, ...done.flatMap(({ broken }) => broken)],
    }
    if (rows.length > 0 || after === undefined) tell(rotated)
    after = rows.at(-1)?.key
    if (after === undefined) return rotated
  }
}

async function resealRow<Key extends object>(base: Base, table: SealedTable<Key>, row: SealedRow<Key>) {
  for (let stale: SealedRow<Key> | undefined = row; ; ) {
    const { fresh, broken } = await sealAnew(base.sealer, table, stale)
    if (fresh.size === 0 || (await replaceValues(base.knex, table, stale, fresh)))
      return { resealed: fresh.size, broken }
    // Somebody else has written it meanwhile, perhaps under the earlier key.
    const [again] = await listStaleRows(base.knex, table, base.sealer.head(), { at: row.key })
    if (again === undefined) return { resealed: 0, broken: [] }
    stale = again
  }
}

async function sealAnew<Key extends object>(
  sealer: Sealer,
  { placeOf }: SealedTable<Key>,
  { key, values }: SealedRow<Key>,
) {
  const fresh = new Map<string, Buffer>()
  const broken: Place[] = []
  for (const [column, value] of values) {
    const place = placeOf(key, column)
    try {
      fresh.set(column, sealer.seal(await sealer.open(value, place), place))
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      broken.push(place)
    }
  }
  return { fresh, broken }
}
