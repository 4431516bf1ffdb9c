import type { RunningServer } from '#local'
import { createDatabases } from './databases.ts'
import { type Dependencies, startDependencies } from './dependencies.ts'
import { rejectOnAbort } from './interruption.ts'
import type { Paths } from './paths.ts'
import type { Step } from './progress.ts'
import { openSecrets, type Secrets } from './secrets.ts'
import type { LocalSettings } from './settings.ts'
import type { Supervision } from './supervise.ts'
import { createWiring, type Wiring } from './wiring.ts'

/** What the services need: servers, migrated databases and secrets. */
export interface Infrastructure {
  readonly wiring: Wiring
  readonly secrets: Secrets
}

interface InfrastructureOptions {
  readonly supervision: Supervision
  readonly step: Step
  readonly interruption: AbortSignal
  /** PostgreSQL, Redis and NATS that run already. By default one of each is started, except those that the settings name. */
  readonly servers?: Dependencies
}

export async function startInfrastructure(
  settings: LocalSettings,
  paths: Paths,
  { supervision, step, interruption, servers }: InfrastructureOptions,
): Promise<Infrastructure> {
  const secrets = openSecrets(paths.secrets)
  const supervise = (title: string, server: RunningServer) => supervision.group()(title, server)
  const dependencies = servers ?? (await startDependencies(settings, { paths, secrets, step, supervise }))
  const databaseUrls = await step('Databases', async (note) => {
    // A migration may wait for a lock. Postgres rolls it back when this process ends.
    const urls = await Promise.race([createDatabases(dependencies.postgres_url, secrets), rejectOnAbort(interruption)])
    note([...urls.keys()].join(', '))
    return urls
  })
  return { wiring: createWiring(settings, dependencies, { database_urls: databaseUrls, secrets }), secrets }
}
