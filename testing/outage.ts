import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type NatsOptions, type RunningServer, startNats, startRedis } from '#local'

/** A server that a test can stop and start again at the same address. */
export interface Outage extends AsyncDisposable {
  readonly url: string
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

/** @param configuration of the server; without it every client may connect and do everything */
export async function startTestNats(directory: string, configuration?: NatsOptions['configuration']): Promise<Outage> {
  return outage(join(directory, 'nats'), (options) => startNats({ ...options, configuration }))
}

export async function startTestRedis(directory: string): Promise<Outage> {
  return outage(join(directory, 'redis'), (options) => startRedis({ ...options, durable: false }))
}

async function outage(
  directory: string,
  begin: (options: { directory: string; port?: number }) => Promise<RunningServer>,
): Promise<Outage> {
  await mkdir(directory, { recursive: true })
  let part: RunningServer | undefined = await begin({ directory })
  const { url } = part
  const port = Number(new URL(url).port)
  const stop = async () => {
    await part?.stop()
    part = undefined
  }
  return {
    url,
    stop,
    async start() {
      part ??= await begin({ directory, port })
    },
    [Symbol.asyncDispose]: stop,
  }
}
