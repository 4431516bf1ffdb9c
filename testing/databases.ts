import { randomBytes } from 'node:crypto'
import knex, { type Knex } from 'knex'
import { migrate, provisionDatabase } from '#database'
import { createEncryptor, EncryptionKeys, keyRing } from '#runtime'
import type { DatabaseOwner } from '../deploy/local/database-owners.ts'
import { ensureSigningKeys } from '../services/provider-auth/openid/signing-keys/ensure.ts'

/** Values that `global-setup.ts` provides. */
declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the server on which test files clone their databases. */
    postgres_url: string
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
): Promise<void> {
  await using superuser = openForTest(superuserUrl)
  // With hundreds of databases, autovacuum would run all the time.
  await superuser.knex.raw('alter system set autovacuum = off')
  await superuser.knex.raw('select pg_reload_conf()')
  await Promise.all(
    services.map(async ({ name, migrations }) => {
      const url = await provisionDatabase(superuserUrl, { name: templateOf(name), password: 'template' })
      await migrate(url, migrations)
      if (name !== 'provider-auth') return
      await using database = openForTest(url)
      using encryptor = await createEncryptor(keyRing(EncryptionKeys.parse(encryptionKeys)))
      await ensureSigningKeys({ knex: database.knex, encryptor })
    }),
  )
}

/** Creates a database for a test: a clone of the service's template. Returns its URL with the owning role. */
export async function cloneDatabase(superuserUrl: string, service: string): Promise<string> {
  const template = templateOf(service)
  const name = `${template}_${randomBytes(5).toString('hex')}`
  await using superuser = openForTest(superuserUrl)
  // Without a log of each page, the cheaper way for a server that forgets its data.
  await superuser.knex.raw('create database ?? template ?? owner ?? strategy file_copy', [name, template, template])
  const url = new URL(superuserUrl)
  url.username = template
  url.password = 'template'
  url.pathname = `/${name}`
  return url.href
}

/** Deletes a database of a test and ends its connections: the files of hundreds of them would fill the memory. */
export async function dropDatabase(superuserUrl: string, url: string): Promise<void> {
  await using superuser = openForTest(superuserUrl)
  await superuser.knex.raw('drop database ?? with (force)', [new URL(url).pathname.slice(1)])
}

/** A small connection pool to inspect a database. */
export function openForTest(url: string): { knex: Knex } & AsyncDisposable {
  const database = knex({ client: 'pg', connection: url, pool: { min: 0, max: 2 } })
  return { knex: database, [Symbol.asyncDispose]: () => database.destroy() }
}

function templateOf(service: string): string {
  return service.replaceAll('-', '_')
}
