import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Webhook } from 'standardwebhooks'
import type { z } from 'zod'
import type { EventObject } from '#admin-api'
import { EventType } from '#contracts'
import { createApi } from '../api.ts'
import { CliError } from '../cli-error.ts'
import { type ConnectionOptions, resolveConnection } from '../connection.ts'
import { getErrorCode } from '../error-code.ts'
import { followPages, parseFollowLimit, parseOption } from '../follow-pages.ts'
import { parseFormat } from '../format.ts'
import type { Io } from '../io.ts'

/** Options, parsed by commander. */
export interface FollowOptions extends ConnectionOptions, Readonly<Record<string, unknown>> {
  readonly account: string
  readonly siteId: string
  readonly type?: string
  readonly fromStart?: boolean
  readonly limit?: string
}
export interface ForwardOptions extends FollowOptions {
  readonly forward: string
  readonly secretFile?: string
}

type ShownEvent = z.output<typeof EventObject>

/** Our choice. */
const pageSize = 100
/** As for webhooks. */
const forwardTimeoutMs = 15_000
const secretBytes = 24

/** Prints events as they happen. */
export async function tailEvents(options: FollowOptions, io: Io): Promise<void> {
  const isJson = parseFormat(options) === 'json'
  for await (const event of followEvents(options, io))
    io.print(isJson ? `${JSON.stringify(event)}\n` : `${formatEvent(event)}\n`)
}

/** Sends events to a program on this machine, with the signature of Standard Webhooks. */
export async function listen(options: ForwardOptions, io: Io): Promise<void> {
  const url = readUrl(options.forward)
  const secret = await readSecret(options.secretFile)
  const webhook = new Webhook(secret)
  io.printError(`Sending events to ${url}. They are signed with the secret ${secret}\n`)
  for await (const event of followEvents(options, io)) {
    const outcome = await forward(event, url, webhook)
    io.print(`${formatEvent(event)}  →  ${outcome}\n`)
  }
}

/** Yields events as they happen. While the console is unavailable, it waits. */
async function* followEvents(options: FollowOptions, io: Io): AsyncGenerator<ShownEvent> {
  const { account, siteId, fromStart = false } = options
  const type = options.type === undefined ? undefined : parseOption('type', EventType, options.type)
  const limit = parseFollowLimit(options.limit)
  const api = createApi(await resolveConnection(options, io))
  const filter = { account, site_id: siteId, limit: pageSize, ...(type && { type }) }
  const read = async (after: string | undefined) => {
    const { events, ...page } = await api.call('listEvents', { ...filter, ...(after !== undefined && { after }) })
    return { ...page, entries: events }
  }
  yield* followPages(read, { after: fromStart ? undefined : 'newest', limit }, io)
}

/** @returns the status and the duration, or the reason why there is no response */
async function forward(event: ShownEvent, url: string, webhook: Webhook): Promise<string> {
  const body = JSON.stringify(event)
  const sentAt = new Date()
  const startedAt = performance.now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
        'webhook-signature': webhook.sign(event.id, sentAt, body),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(forwardTimeoutMs),
    })
    await response.body?.cancel()
    return `${response.status} in ${Math.round(performance.now() - startedAt)} ms`
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return `no response (${getErrorCode(cause)})`
  }
}

function formatEvent({ timestamp, type, user }: ShownEvent): string {
  return `${timestamp}  ${type.padEnd(38)}  ${user.identifier}${user.primary_key === null ? '' : `  ${user.primary_key}`}`
}

function readUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CliError('usage', '--forward must be a URL such as http://localhost:3000/events.')
  return url.href
}

async function readSecret(file: string | undefined): Promise<string> {
  if (file === undefined) return `whsec_${randomBytes(secretBytes).toString('base64')}`
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError('usage', `--secret-file ${file} cannot be read (${getErrorCode(error)}).`, { cause: error })
  })
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(text.trim()))
    throw new CliError('usage', `--secret-file ${file} does not contain a secret of a webhook: whsec_ and Base64.`)
  return text.trim()
}
