import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChildError, startChild } from '#local'

/** An OpenID Provider that others wrote, as a process of this machine. */
export interface ForeignProduct {
  readonly name: string
  /** Where its program is; undefined: the tests are skipped. `npm run check:foreign-providers` sets it. */
  readonly program: string | undefined
  /** Starts it with one client and one end user. */
  readonly start: (registration: Registration) => Promise<RunningProduct>
}

/** What a client registers at the provider. */
export interface Registration {
  readonly client_id: string
  readonly client_secret: string
  readonly callback: string
  readonly logout_return: string
}

export interface RunningProduct extends AsyncDisposable {
  readonly issuer: string
  /** What the provider says about the end user. */
  readonly email: string
  /** Fills the form of one of its pages, by the names of inputs; undefined for a page that only needs to be sent. */
  readonly answers: Readonly<Record<string, string>>
  /** Settings of a definition that differ from the usual ones. */
  readonly protocol: object
  /** Makes it sign with a new key; absent if it has no interface for that. */
  readonly rotateKeys?: () => Promise<void>
  /** Whether it accepts an access token; absent if it does not revoke tokens. */
  readonly isActive?: (token: string) => Promise<boolean>
  /** Whether it can end sessions. */
  readonly endsSessions: boolean
}

interface ProcessOptions {
  readonly title: string
  readonly command: string
  readonly args: (directory: string) => readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Answers with 200 as soon as it is ready. */
  readonly readyAt: string
  /** Writes files before the start. */
  readonly prepare?: (directory: string) => Promise<void>
}

/** Starts a process in a directory of its own, and resolves when it is ready. Disposing stops it. */
export async function startProcess(options: ProcessOptions): Promise<AsyncDisposable> {
  const { title, command, args, environment, readyAt, prepare } = options
  await using starting = new AsyncDisposableStack()
  const { PATH, HOME, JAVA_HOME } = process.env
  const directory = await mkdtemp(join(tmpdir(), `social-login-${title.toLowerCase()}-`))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  await prepare?.(directory)
  const child = await startChild({
    title,
    command,
    args: args(directory),
    log: join(directory, 'process.log'),
    pidFile: join(directory, 'process.pid'),
    // Other variables would be settings of some programs.
    environment: { PATH, HOME, JAVA_HOME, ...environment },
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 20_000,
    stopsWithParentBy: 'watcher',
    workingDirectory: directory,
  })
  starting.defer(child.stop)
  while (!(await isReady(readyAt)))
    if (child.ended() !== undefined) throw createChildError(child, title, 'ended instead of starting')
  const stack = starting.move()
  return { [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    await new Promise(setImmediate)
    return false
  }
}

/** Sends JSON to an administrative interface. @throws Error with its answer if it is not accepted */
export async function sendJson(
  method: 'POST' | 'PUT',
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
