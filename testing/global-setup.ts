import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '#local'
import { databaseOwners } from '../deploy/local/database-owners.ts'
import { type CitusServers, startCitus } from './citus.ts'
import { createTemplates } from './databases.ts'

/** On a hostile machine, each transaction waits for a slow disk. */
const diskSettings =
  process.env.HOSTILE_MACHINE_SEED === undefined
    ? {}
    : { fsync: 'on', synchronous_commit: 'on', commit_delay: '20000', commit_siblings: '0' }

/** Where Linux mounts a file system in memory, and its `f_type`. */
const [memory, tmpfs] = ['/dev/shm', 0x01_02_19_94]
/** Of files and of memory. Our choice: several times what the databases of a run occupy at the same time. */
const requiredBytes = 6 * 2 ** 30

/**
 * The directory of the databases: in memory if there is enough, where cloning a database takes a tenth of the CPU time. On a
 * hostile machine, they are on its disk.
 */
async function chooseDirectory(): Promise<string> {
  if (process.env.HOSTILE_MACHINE_SEED !== undefined || process.availableMemory() < requiredBytes) return tmpdir()
  const { type, bavail, bsize } = await statfs(memory).catch(() => ({ type: 0, bavail: 0, bsize: 0 }))
  return type === tmpfs && bavail * bsize >= requiredBytes ? memory : tmpdir()
}

/** @throws Error if `TEST_REDIS` has another value than `cluster`, for three masters of a Redis Cluster in each stack */
function checkRedis(): void {
  const kind = process.env.TEST_REDIS
  if (kind !== undefined && kind !== 'cluster')
    throw new Error(`TEST_REDIS is ${kind}. Set it to cluster, or unset it for one Redis.`)
}

/** With `TEST_POSTGRES=citus`, a coordinator and two workers. */
async function startServers(directory: string): Promise<Omit<CitusServers, 'servers'>> {
  const kind = process.env.TEST_POSTGRES
  if (kind === 'citus') {
    await mkdir(directory, { mode: 0o711 })
    return startCitus(directory)
  }
  if (kind !== undefined) throw new Error(`TEST_POSTGRES is ${kind}. Set it to citus, or unset it for one Postgres.`)
  return { ...(await startPostgres({ directory, durable: false, settings: diskSettings })), workers: [] }
}

/** Starts one Postgres for the whole run, from whose templates the tests clone their databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  checkRedis()
  const create = (parent: string) => mkdtemp(join(parent, 'social-login-test-'))
  const [directory, databases] = await Promise.all([create(tmpdir()), create(await chooseDirectory())])
  // If root runs the tests, Postgres runs as another user, who needs access to the directory.
  await chmod(databases, 0o711)
  const postgres = await startServers(join(databases, 'postgres'))
  const encryptionKeys = `test:${randomBytes(32).toString('base64')}`
  await createTemplates(postgres.url, databaseOwners, encryptionKeys, postgres.workers)
  project.provide('postgres_url', postgres.url)
  project.provide('postgres_workers', postgres.workers)
  project.provide('encryption_keys', encryptionKeys)
  project.provide('directory', directory)
  return async () => {
    await postgres.stop()
    for (const path of [directory, databases]) await rm(path, { recursive: true, force: true })
  }
}
