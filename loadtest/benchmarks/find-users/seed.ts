import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { type UserSearchField, userSearchFields } from '#contracts'
import { createPersonalData, migrate, openDatabase, transaction } from '#database'
import { configReader, createEncryptor, createLogger, encryptionKeysSettings, openKeyRing } from '#runtime'
import { type CombinedData, combine } from '../../../services/profile/domain/combine.ts'
import { listTerms } from '../../../services/profile/domain/search-terms.ts'
import { combinedColumn, linkDataColumn } from '../../../services/profile/encrypted-values.ts'
import { migrations } from '../../../services/profile/migrations/index.ts'
import { blindTerm, createSearchKeys, type SearchKey } from '../../../services/profile/search-keys.ts'
import { insertSearchKey } from '../../../services/profile/store/search-keys.ts'
import { finishIndexing, storeUserSearch, updateIndexingProgress } from '../../../services/profile/store/user-search.ts'
import { copy } from '../../seed/copy.ts'
import { createProgress } from '../../seed/progress.ts'
import { createEndUser, describeUser, type EndUser } from './end-users.ts'

export const site = 1

/** Of this benchmark only, so that a later run can read what an earlier one stored. */
export const encryptionKeys = `benchmark:${createHash('sha256').update('find users').digest('base64')}`

const batchSize = 10_000
const fields: readonly UserSearchField[] = userSearchFields
const readKeys = configReader(encryptionKeysSettings)
const logger = createLogger('benchmark', 'silent')

interface Seed {
  readonly database_url: string
  readonly users: number
  readonly print: (line: string) => void
}

/**
 * Stores the profiles and search terms of a site of so many users as the service does, by COPY, unless an earlier run did. The newest
 * tenth, which results show first, also have the data of their login provider.
 */
export async function seedUsersToFind({ database_url, users, print }: Seed): Promise<void> {
  await migrate(database_url, migrations)
  await using stack = new AsyncDisposableStack()
  const { knex } = stack.use(await openDatabase({ DATABASE_URL: database_url }, { name: 'benchmark', logger }))
  const earlier = await knex('user_search').where({ site, indexing_started_at: null }).first('users_indexed')
  if (earlier?.users_indexed === users) return

  const copying = new pg.Client({ connectionString: database_url })
  await copying.connect()
  stack.defer(() => copying.end())
  const encryptor = stack.use(
    await createEncryptor(openKeyRing(readKeys({ ENCRYPTION_KEYS: encryptionKeys }), logger), { logger }),
  )
  const combinedData = createPersonalData(combinedColumn, { encryptor, encrypts: true })
  const linkData = createPersonalData(linkDataColumn, { encryptor, encrypts: true })

  await knex.raw(
    'truncate profiles, links, provider_profiles, personal_keys, user_search, user_search_keys, user_search_terms',
  )
  await knex.raw('alter table user_search_terms drop constraint user_search_terms_pk')
  await knex.raw('drop index user_search_terms_of_user')
  const searchKeys = createSearchKeys(encryptor)
  const key = await transaction(knex, async (trx) => {
    await insertSearchKey(trx, searchKeys.createKey(site, 1))
    await storeUserSearch(trx, site, { revision: 1, fields, key_version: 1 })
    return (await searchKeys.findKeys(trx, site)).get(1)
  })
  if (key === undefined) throw new Error('The key that was just stored cannot be read.')
  const toTerm = rememberTerms(key)

  const progress = createProgress(users, print)
  for (let from = 0; from < users; from += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, users - from) }, (_, n) => toRow(createEndUser(from + n)))
    const ofLinks = from < users * 0.9 ? [] : rows
    const [combined, supplies] = await transaction(
      knex,
      async (trx) =>
        [
          await combinedData.encrypt(
            trx,
            rows.map(({ identifier, data }) => ({ site, subject: identifier, data })),
          ),
          await linkData.encrypt(
            trx,
            ofLinks.map(({ link_id, supply }) => ({ site, subject: link_id, data: supply })),
          ),
        ] as const,
    )
    const insert = (table: string, lines: readonly (readonly unknown[])[]) =>
      copy(
        copying,
        `copy ${table} from stdin`,
        lines.map((values) => `${values.join('\t')}\n`),
      )
    const now = new Date().toISOString()
    await insert(
      'profiles (site, identifier, combined, update_count, last_updated_at)',
      rows.map(({ identifier }, n) => [site, identifier, combined[n], 1, now]),
    )
    await insert(
      'links (site, link_id, identifier, owned_since)',
      ofLinks.map(({ identifier, link_id }) => [site, link_id, identifier, now]),
    )
    await insert(
      'provider_profiles (site, link_id, provider, data, obtained_at)',
      ofLinks.map(({ link_id }, n) => [site, link_id, 'messaging', supplies[n], now]),
    )
    await insert(
      'user_search_terms (site, term, identifier)',
      rows.flatMap(({ identifier, data }) =>
        [...new Set(listTerms(data, fields).map(toTerm))].map((term) => [site, term, identifier]),
      ),
    )
    progress(rows.length)
  }
  print('Building the indexes of the terms …')
  // A connection of the service would end them after its time limit.
  await copying.query(
    'alter table user_search_terms add constraint user_search_terms_pk primary key (site, term, identifier)',
  )
  await copying.query('create index user_search_terms_of_user on user_search_terms (site, identifier)')
  await copying.query('vacuum analyze')
  await transaction(knex, async (trx) => {
    await updateIndexingProgress(trx, site, { from: '', to: 'f', users })
    await finishIndexing(trx, site)
  })
}

function toRow(endUser: EndUser) {
  const supply = describeUser(endUser)
  const data: CombinedData = combine([{ provider: 'messaging', data: supply, obtained_at: new Date() }])
  return { identifier: endUser.identifier, link_id: randomUUID(), supply, data }
}

/** Prefixes of names recur. */
function rememberTerms(key: SearchKey): (text: string) => number {
  const ofNames = new Map<string, number>()
  return (text) => {
    if (!text.startsWith('name:')) return blindTerm(key, text)
    const term = ofNames.get(text) ?? blindTerm(key, text)
    ofNames.set(text, term)
    return term
  }
}
