import { randomBytes } from 'node:crypto'
import knex, { type Knex } from 'knex'
import pg from 'pg'
import { inject } from 'vitest'
import { distribute, migrate, provisionDatabase } from '#database'
import { createEncryptor, EncryptionKeys, keyRing } from '#runtime'
import type { DatabaseOwner } from '../deploy/local/database-owners.ts'
import { ensureSigningKeys } from '../services/provider-auth/openid/signing-keys/ensure.ts'
import { connectWorkers, isCitus } from './citus.ts'

const objectInUse = '55006'

/** Values that `global-setup.ts` provides. */
declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the server on which test files clone their databases. */
    postgres_url: string
    /** Superuser URLs of the workers, if that server is a coordinator of Citus. */
    postgres_workers: readonly string[]
    /** The `ENCRYPTION_KEYS` of provider-auth that encrypt the signing keys of its template. */
    encryption_keys: string
    /** For files of the run; it is deleted at the end. */
    directory: string
  }
}

/**
 * Creates a migrated database for each owning service, from which every test file clones its own. That of provider-auth has
 * signing keys, because generating RSA keys is slow.
 */
export async function createTemplates(
  superuserUrl: string,
  services: readonly DatabaseOwner[],
  encryptionKeys: string,
  workers: readonly string[] = [],
): Promise<void> {
  const servers = [superuserUrl, ...workers]
  await onEach(servers, async (superuser) => {
    // With hundreds of databases, autovacuum would run all the time.
    await superuser.raw('alter system set autovacuum = off')
    await superuser.raw('select pg_reload_conf()')
  })
  // One after another, because Citus changes the roles of the servers with each database.
  for (const { name } of workers.length > 0 ? services.filter(({ distribution }) => distribution !== undefined) : []) {
    for (const server of servers) await provisionDatabase(server, toTemplate(name))
    await connectWorkers(servers, toTemplate(name))
  }
  await Promise.all(
    services.map(async ({ name, migrations, distribution }) => {
      const url = await provisionDatabase(superuserUrl, toTemplate(name))
      await migrate(url, migrations)
      if (workers.length > 0 && distribution !== undefined) await distribute(url, distribution)
      if (name !== 'provider-auth') return
      await using database = openForTest(url)
      using encryptor = await createEncryptor(keyRing(EncryptionKeys.parse(encryptionKeys)))
      await ensureSigningKeys({ knex: database.knex, encryptor })
    }),
  )
  // A process of Citus in each of them would keep it from being cloned.
  if (workers.length > 0) await onEach(servers, closeTemplates)
}

async function closeTemplates(superuser: Knex): Promise<void> {
  const { rows } = await superuser.raw<{ rows: { datname: string }[] }>(
    `select datname from pg_database join pg_roles r on r.oid = datdba where rolname = datname and rolname <> 'postgres'`,
  )
  for (const { datname } of rows) {
    await superuser.raw('alter database ?? allow_connections false', [datname])
    await superuser.raw('select pg_terminate_backend(pid) from pg_stat_activity where datname = ?', [datname])
  }
}

/** Creates a database for a test: a clone of the service's template. Returns its URL with the owning role. */
export async function cloneDatabase(superuserUrl: string, service: string): Promise<string> {
  const template = templateOf(service)
  const name = `${template}_${randomBytes(5).toString('hex')}`
  await onEach(serversOf(superuserUrl, name), async (superuser) => {
    // Without a log of each page, the cheaper way for a server that forgets its data.
    await superuser.raw('create database ?? template ?? owner ?? strategy file_copy', [name, template, template])
  })
  const url = new URL(superuserUrl)
  url.username = template
  url.password = 'template'
  url.pathname = `/${name}`
  return url.href
}

/** Deletes a database of a test and ends its connections: the files of hundreds of them would fill the memory. */
export async function dropDatabase(superuserUrl: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  // The coordinator first: its connections to the workers end with it.
  for (const server of serversOf(superuserUrl, name)) await onEach([server], (superuser) => drop(superuser, name))
}

async function drop(superuser: Knex, name: string, attempts = 3): Promise<void> {
  try {
    await superuser.raw('drop database ?? with (force)', [name])
  } catch (error) {
    // A process of Citus started in it again.
    if (attempts === 1 || !(error instanceof pg.DatabaseError) || error.code !== objectInUse) throw error
    await drop(superuser, name, attempts - 1)
  }
}

/** The servers that have the database. */
function serversOf(superuserUrl: string, name: string): readonly string[] {
  const isDistributed = superuserUrl === inject('postgres_url') && !name.startsWith(`${templateOf('console')}_`)
  return [superuserUrl, ...(isDistributed ? inject('postgres_workers') : [])]
}

async function onEach(urls: readonly string[], work: (superuser: Knex) => Promise<void>): Promise<void> {
  await Promise.all(
    urls.map(async (url) => {
      await using superuser = openForTest(url)
      await work(superuser.knex)
    }),
  )
}

/** The number of statements in a database that wait for a lock. */
export async function countLockWaits(knex: Knex): Promise<number> {
  const count = `select count(*)::integer from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  const { rows } = await knex.raw<{ rows: { waiting: number }[] }>(
    isCitus
      ? `select sum(result::integer)::integer as waiting from run_command_on_workers('${count.replaceAll("'", "''")}')`
      : `select (${count}) as waiting`,
  )
  return rows[0]?.waiting ?? 0
}

/** A small connection pool to inspect a database. */
export function openForTest(url: string): { knex: Knex } & AsyncDisposable {
  const database = knex({ client: 'pg', connection: url, pool: { min: 0, max: 2 } })
  database.userParams = { isDistributed: isCitus }
  return { knex: database, [Symbol.asyncDispose]: () => database.destroy() }
}

function toTemplate(service: string): { readonly name: string; readonly password: string } {
  return { name: templateOf(service), password: 'template' }
}

function templateOf(service: string): string {
  return service.replaceAll('-', '_')
}
