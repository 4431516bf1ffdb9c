import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { createLocalSettings, launch, readJson } from '../../deploy/local/test/launch.ts'

/** The part of `environment.json` that the check uses. */
const EnvironmentFile = z.object({
  web_api: z.url(),
  auth: z.url(),
  console: z.url(),
  sites: z.array(z.object({ site_id: z.string(), api_key: z.string() })),
})

export interface RunningProduct extends AsyncDisposable {
  readonly auth: string
  readonly console: string
  readonly environmentFile: string
  /** Identifiers of all users of the demo's site. */
  readonly fetchUsers: () => Promise<readonly string[]>
}

/** Runs `npm start` with free ports and with its data in a subdirectory of the given directory. */
export async function runProduct(directory: string, signal: AbortSignal): Promise<RunningProduct> {
  const local = join(directory, 'local')
  await mkdir(local)
  // PostgreSQL runs as another user if this process is root.
  for (const folder of [directory, local]) await chmod(folder, 0o755)
  const launched = launch('start', await createLocalSettings(local))
  const interrupt = () => launched.send('SIGINT')
  signal.addEventListener('abort', interrupt)
  await launched.ready
  const environmentFile = join(local, 'environment.json')
  const { web_api, auth, console, sites } = EnvironmentFile.parse(readJson(environmentFile))
  const key = sites.find(({ site_id }) => site_id === 'shop')?.api_key ?? ''
  return {
    auth,
    console,
    environmentFile,
    fetchUsers: async () => {
      const response = await fetch(`${web_api}/users`, { headers: { authorization: `Bearer ${key}` } })
      return z.object({ users: z.array(z.string()) }).parse(await response.json()).users
    },
    [Symbol.asyncDispose]: async () => {
      signal.removeEventListener('abort', interrupt)
      if (!signal.aborted) interrupt()
      await launched.ended
    },
  }
}
