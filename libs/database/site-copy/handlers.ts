import type { Knex } from 'knex'
import { z } from 'zod'
import type { CopiedRange, Input, Output, siteCopyProcedures } from '#contracts'
import type { Encryptor } from '#runtime'
import { translateConstraintErrors } from '../constraint-errors.ts'
import { isDistributed } from '../distribution.ts'
import { freezeSite, isSiteFrozen, thawSite } from '../site-freeze.ts'
import type { SiteDataTable } from '../site-tables.ts'
import { transaction } from '../transaction.ts'
import { deleteCopy, insertCopy, lockCopy } from './copies.ts'
import { decryptEnvelope, encryptFor } from './envelope.ts'
import {
  deleteJobs,
  deletePendingEventsOf,
  type QueueName,
  type QueueOptions,
  readJobs,
  readPendingEvents,
  storeJobs,
  storePendingEvents,
} from './queues.ts'
import { listIncompleteRanges, listRanges } from './ranges.ts'
import { readChanges } from './read-rows.ts'
import type { CopiedSecrets } from './secrets.ts'
import { storePart } from './store-rows.ts'

/** Ranges that are compared at a time. Our choice. */
const rangesPerList = 100

/** What a service copies of a site. */
export interface SiteCopy {
  readonly knex: Knex
  /** The name of the service, which the encryption of rows authenticates. */
  readonly service: string
  readonly tables: readonly SiteDataTable[]
  readonly queues: readonly QueueName[]
  readonly queueOptions?: QueueOptions
  readonly secrets?: readonly CopiedSecrets[]
  /** Encrypts the key of a copy. */
  readonly encryptor?: Pick<Encryptor, 'encrypt' | 'decrypt'>
  /** Unique constraints over all sites. */
  readonly uniqueInCell?: readonly string[]
}

type Procedures = typeof siteCopyProcedures

/** The handlers of `siteCopyProcedures` of a service. */
export type SiteCopyHandlers<D> = {
  readonly [K in keyof Procedures]: (input: Input<Procedures[K]>, deps: D) => Promise<Output<Procedures[K]>>
}

const Arriving = z.object({ from: z.int(), rows: z.array(z.record(z.string(), z.string().nullable())) })
const ArrivingQueue = z.object({ from: z.int(), items: z.array(z.unknown()) })

export function createSiteCopyHandlers<D>(describe: (deps: D) => SiteCopy): SiteCopyHandlers<D> {
  return {
    async freezeSite(freeze, deps) {
      const { knex, tables } = describe(deps)
      await freezeSite(knex, freeze, tables)
      return {}
    },
    async thawSite(freeze, deps) {
      const { knex, tables } = describe(deps)
      await thawSite(knex, freeze, tables, (trx) => deleteCopy(trx, freeze.site))
      return {}
    },
    async canFreezeSites(_input, deps) {
      return { possible: !isDistributed(describe(deps).knex) }
    },
    async isSiteFrozen({ site }, deps) {
      return { frozen: await isSiteFrozen(describe(deps).knex, site) }
    },
    async beginSiteCopy({ site, claim }, deps) {
      const { knex, tables, encryptor, queues } = describe(deps)
      await freezeSite(knex, { site, claim }, tables)
      const publicKey = await insertCopy(knex, site, encryptor)
      return { public_key: publicKey, tables: copiedTables(tables).map(({ table }) => table), queues: [...queues] }
    },
    async listCopyRanges({ site, table, after, incomplete = false }, deps) {
      const list = incomplete ? listIncompleteRanges : listRanges
      return { ranges: await list(describe(deps).knex, { site, table, after, limit: rangesPerList }) }
    },
    async readSiteRows({ site, table: name, ranges, public_key }, deps) {
      const copy = describe(deps)
      const { knex, secrets = [] } = copy
      const table = findTable(copy, name)
      const { equal, part } = await readChanges(knex, table, { site, ranges })
      if (part === null) return { equal, part }
      const { after, upto, digest } = part
      const own = secrets.find((one) => one.table === name)
      const rows = own === undefined ? part.rows : await own.decrypt(knex, site, part.rows)
      const envelope = encryptFor(public_key, { from: site, rows }, contextOf(copy, name, { after, upto, digest }))
      return { equal, part: { after, upto, digest, rows: rows.length, envelope } }
    },
    async storeSiteRows({ site, table: name, range, upto, digest, envelope }, deps) {
      const copy = describe(deps)
      const { knex, encryptor, secrets = [], uniqueInCell = [] } = copy
      const table = findTable(copy, name)
      const storing = transaction(knex, async (trx) => {
        const privateKey = await lockCopy(trx, site, encryptor)
        const context = contextOf(copy, name, { after: range.after, upto, digest })
        const { rows } = Arriving.parse(decryptEnvelope(privateKey, envelope, context))
        await storePart(trx, table, { site, table: name, range, upto, digest, rows }, secrets)
      })
      await translateConstraintErrors(
        storing,
        Object.fromEntries(uniqueInCell.map((constraint) => [constraint, 'already_exists' as const])),
      )
      return {}
    },
    async readSiteQueue({ site, queue, after, public_key }, deps) {
      const copy = describe(deps)
      const read = queue === 'jobs' ? readJobs : readPendingEvents
      const { items, next } = await read(copy.knex, { site, after }, copy.queueOptions ?? {})
      return { envelope: encryptFor(public_key, { from: site, items }, [copy.service, queue]), next }
    },
    async storeSiteQueue({ site, queue, is_first, envelope }, deps) {
      const copy = describe(deps)
      const { knex, encryptor, queueOptions = {} } = copy
      if (is_first && queue === 'jobs') await deleteJobs(knex, site, queueOptions)
      await transaction(knex, async (trx) => {
        const privateKey = await lockCopy(trx, site, encryptor)
        const arriving = ArrivingQueue.parse(decryptEnvelope(privateKey, envelope, [copy.service, queue]))
        if (queue === 'jobs') await storeJobs(trx, { site, ...arriving }, queueOptions)
        else {
          if (is_first) await deletePendingEventsOf(trx, site)
          await storePendingEvents(trx, { site, ...arriving }, queueOptions)
        }
      })
      return {}
    },
    async deleteSiteQueues({ site }, deps) {
      const { knex, queues, queueOptions = {} } = describe(deps)
      if (queues.includes('jobs')) await deleteJobs(knex, site, queueOptions)
      if (queues.includes('pending_events')) await transaction(knex, (trx) => deletePendingEventsOf(trx, site))
      return {}
    },
  }
}

function copiedTables(tables: readonly SiteDataTable[]): SiteDataTable[] {
  return tables.filter(({ move }) => move !== undefined && move.isQueue !== true)
}

/** @throws Error if no such table is copied */
function findTable({ tables }: SiteCopy, name: string): SiteDataTable {
  const table = copiedTables(tables).find((one) => one.table === name)
  if (table === undefined) throw new Error(`The table ${name} is not copied. Run the same release in both cells.`)
  return table
}

function contextOf({ service }: SiteCopy, table: string, { after, upto, digest }: CopiedRange): unknown[] {
  return [service, table, after, upto, digest]
}
