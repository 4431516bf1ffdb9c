import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '#local'
import { databaseOwners } from '../deploy/local/database-owners.ts'
import { createTemplates } from './databases.ts'

/** On a hostile machine, each transaction waits for a slow disk. */
const diskSettings =
  process.env.HOSTILE_MACHINE_SEED === undefined
    ? {}
    : { fsync: 'on', synchronous_commit: 'on', commit_delay: '20000', commit_siblings: '0' }

/** Starts one Postgres for the whole run, from whose templates the tests clone their databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'social-login-test-'))
  // If root runs the tests, Postgres runs as another user, who needs access to the directory.
  await chmod(directory, 0o711)
  const postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    durable: false,
    settings: diskSettings,
  })
  const encryptionKeys = `test:${randomBytes(32).toString('base64')}`
  await createTemplates(postgres.url, databaseOwners, encryptionKeys)
  project.provide('postgres_url', postgres.url)
  project.provide('encryption_keys', encryptionKeys)
  project.provide('directory', directory)
  return async () => {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
