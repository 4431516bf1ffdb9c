import { randomBytes } from 'node:crypto'
import { provisionDatabase } from '#database'
import { LocalFailure } from '#local'
import type { Secrets } from './secrets.ts'
import { owners } from './services.ts'

/** A database and a role for each owning service; the roles' passwords are kept. Answers the URLs by database name. */
export async function openDatabases(superuser_url: string, secrets: Secrets): Promise<ReadonlyMap<string, string>> {
  const urls = await Promise.all(
    owners.map(async ({ database }) => {
      const password = secrets.keep(`password of ${database}`, () => randomBytes(24).toString('base64url'))
      return [database, await provisionDatabase(superuser_url, { name: database, password })] as const
    }),
  ).catch((cause: unknown) => {
    throw new LocalFailure(`The databases could not be made: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  })
  return new Map(urls)
}
