import { createDatabases } from './databases.ts'
import { startDependencies } from './dependencies.ts'
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

export async function startInfrastructure(
  settings: LocalSettings,
  paths: Paths,
  { supervision, step, interruption }: { supervision: Supervision; step: Step; interruption: AbortSignal },
): Promise<Infrastructure> {
  const secrets = openSecrets(paths.secrets)
  const dependencies = await startDependencies(settings, {
    paths,
    secrets,
    step,
    supervise: (title, server) => supervision.group()(title, server),
  })
  const databaseUrls = await step('Databases', async (note) => {
    // A migration may wait for a lock. Postgres rolls it back when this process ends.
    const urls = await Promise.race([createDatabases(dependencies.postgres_url, secrets), rejectOnAbort(interruption)])
    note([...urls.keys()].join(', '))
    return urls
  })
  return { wiring: createWiring(settings, dependencies, { database_urls: databaseUrls, secrets }), secrets }
}
