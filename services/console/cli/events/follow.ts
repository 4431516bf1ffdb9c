import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import type { EventObject } from '#admin-api'
import { EventType } from '#contracts'
import { type Api, createApi } from '../api.ts'
import { CliError } from '../cli-error.ts'
import { type ConnectionOptions, resolveConnection } from '../connection.ts'
import { getErrorCode } from '../error-code.ts'
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

/** Pause between looks for events, and while the console is unavailable. Our choice. */
const pollMs = 1_000
const unavailableMs = 5_000
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
  const type = options.type === undefined ? undefined : readOption('type', EventType, options.type)
  const limit = options.limit === undefined ? Number.POSITIVE_INFINITY : readOption('limit', Count, options.limit)
  const api = createApi(await resolveConnection(options, io))
  const filter = { account, site_id: siteId, limit: pageSize, ...(type && { type }) }
  let after = fromStart ? undefined : 'newest'
  let isFirst = true
  for (let count = 0; count < limit; ) {
    const page = await readPage(api, { ...filter, ...(after !== undefined && { after }) }, isFirst ? undefined : io)
    isFirst = false
    for (const event of page?.events ?? []) {
      yield event
      if (++count === limit) return
    }
    after = page?.next_after ?? after
    if (!page?.more) await delay(page === undefined ? unavailableMs : pollMs)
  }
}

const Count = z.coerce.number().pipe(z.int().min(1))

/** @param io for a message while the console is unavailable; without it, this is an error */
async function readPage(api: Api, input: Parameters<typeof api.call<'listEvents'>>[1], io: Io | undefined) {
  try {
    return await api.call('listEvents', input)
  } catch (error) {
    if (io === undefined || !(error instanceof CliError) || error.exit !== 'unavailable') throw error
    io.printError(`${error.message} Trying again.\n`)
    return undefined
  }
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

function readOption<T>(name: string, schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(text)
  if (!parsed.success) throw new CliError('usage', `--${name}: ${parsed.error.issues[0]?.message ?? 'is invalid'}`)
  return parsed.data
}
