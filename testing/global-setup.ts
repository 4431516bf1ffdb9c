import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '#local'
import { migrations as consoleMigrations } from '../services/console/migrations/index.ts'
import { migrations as friendship } from '../services/friendship/migrations/index.ts'
import { migrations as identity } from '../services/identity/migrations/index.ts'
import { migrations as profile } from '../services/profile/migrations/index.ts'
import { migrations as providerAuth } from '../services/provider-auth/migrations/index.ts'
import { createTemplates, type OwningService } from './databases.ts'

const owning_services: OwningService[] = [
  { name: 'identity', migrations: identity },
  { name: 'profile', migrations: profile },
  { name: 'provider-auth', migrations: providerAuth },
  { name: 'friendship', migrations: friendship },
  { name: 'console', migrations: consoleMigrations },
]

/** One Postgres for the whole run, from whose templates the tests clone their databases. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'social-login-test-'))
  // Run by root, the tests have Postgres run as another user, who must get there.
  await chmod(directory, 0o711)
  const postgres = await startPostgres({ directory: join(directory, 'postgres'), durable: false })
  await createTemplates(postgres.url, owning_services)
  project.provide('postgres_url', postgres.url)
  project.provide('directory', directory)
  return async () => {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
