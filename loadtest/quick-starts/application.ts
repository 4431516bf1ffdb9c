import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort, SetupError } from '#local'
import { root } from '../../deploy/local/settings.ts'
import type { QuickStart } from './page.ts'
import type { RunningProduct } from './product.ts'
import { type RunningCommands, runCommands, startCommands } from './shell.ts'

const pollMs = 100
const startDeadlineMs = 120_000

/** The application of a page, with its own client and port. */
export interface Application {
  readonly url: string
  readonly install: () => Promise<void>
  /** Starts the application and waits until it responds. */
  readonly start: () => Promise<RunningCommands>
  /** Causes an event. @returns what the commands of the page print */
  readonly sendEvent: () => Promise<string>
}

/**
 * Registers the client, or creates the webhook, as the page describes, and writes the page's files to the directory. Replaces the addresses of
 * `npm start`, which has other ports here, the port 3000 of the application, and the page's placeholders.
 */
export async function createApplication(
  page: QuickStart,
  { product, directory, signal }: { product: RunningProduct; directory: string; signal: AbortSignal },
): Promise<Application> {
  const port = String(await findFreePort())
  const withAddresses = (text: string) =>
    text
      .replaceAll('http://localhost:8081', product.auth)
      .replaceAll('http://localhost:8085', product.console)
      .replaceAll('.local/environment.json', product.environmentFile)
      .replaceAll(/\b3000\b/g, port)

  const printed = await runCommands(withAddresses(page.registration), { directory: root, signal })
  const printedValue = (field: string) => {
    const value = new RegExp(`^ *${field} +(\\S+)$`, 'm').exec(printed)?.[1]
    if (value === undefined) throw new SetupError(`The registration did not print a ${field}:\n${printed}`)
    return value
  }
  const printedFields = page.sending === undefined ? ['client_id', 'client_secret'] : ['secret']
  const placeholders: Record<string, string> = {
    ...Object.fromEntries(printedFields.map((field) => [`<${field}>`, printedValue(field)])),
    '<random>': randomBytes(32).toString('hex'),
  }
  for (const [path, text] of page.files) {
    const file = join(directory, path)
    await mkdir(dirname(file), { recursive: true })
    const complete = path.startsWith('.env')
      ? text.replaceAll(/<\w+>/g, (placeholder) => placeholders[placeholder] ?? placeholder)
      : text
    await writeFile(file, withAddresses(complete))
  }

  const url = `http://localhost:${port}`
  return {
    url,
    sendEvent: () => runCommands(withAddresses(page.sending ?? ''), { directory: root, signal }),
    install: async () => void (await runCommands(withAddresses(page.installation), { directory, signal })),
    start: async () => {
      const running = startCommands(withAddresses(page.run), { directory, signal })
      try {
        await Promise.race([waitForResponse(url), rejectAtEnd(running)])
      } catch (error) {
        await running.stop()
        throw new SetupError(`${String(error)}\nIts output:\n${running.output()}`, { cause: error })
      }
      return running
    },
  }
}

async function waitForResponse(url: string): Promise<void> {
  for (const until = performance.now() + startDeadlineMs; performance.now() < until; await sleep(pollMs)) {
    const response = await fetch(url, { redirect: 'manual' }).catch(() => undefined)
    if (response !== undefined) return
  }
  throw new SetupError(`The application did not respond at ${url}.`)
}

async function rejectAtEnd({ ended }: RunningCommands): Promise<never> {
  throw new SetupError(`The application ended with exit code ${await ended} instead of serving.`)
}
