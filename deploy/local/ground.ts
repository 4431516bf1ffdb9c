import { openDatabases } from './databases.ts'
import { openDependencies } from './dependencies.ts'
import { untilAborted } from './interruption.ts'
import type { Places } from './places.ts'
import type { Step } from './progress.ts'
import { openSecrets, type Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Supervision } from './supervise.ts'
import { type Wiring, wire } from './wiring.ts'

/** What services stand on: servers, databases with their schema, and the secrets they are told. */
export interface Ground {
  readonly wiring: Wiring
  readonly secrets: Secrets
}

export async function layGround(
  settings: Settings,
  places: Places,
  { supervision, step, interruption }: { supervision: Supervision; step: Step; interruption: AbortSignal },
): Promise<Ground> {
  const secrets = openSecrets(places.secrets)
  const dependencies = await openDependencies(settings, {
    places,
    secrets,
    step,
    own: (title, part) => supervision.row()(title, part),
  })
  const databaseUrls = await step('Databases', async (note) => {
    // A migration may wait for a lock. Postgres rolls it back when this process ends.
    const urls = await Promise.race([openDatabases(dependencies.postgres_url, secrets), untilAborted(interruption)])
    note([...urls.keys()].join(', '))
    return urls
  })
  return { wiring: wire(settings, dependencies, { database_urls: databaseUrls, secrets }), secrets }
}
