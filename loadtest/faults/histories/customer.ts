import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { FaultSite } from '../site.ts'
import type { HistoryOutput } from './history.ts'
import type { Patience } from './plan.ts'

/** A request of the Web API. */
export interface CustomerRequest {
  readonly operation: string
  readonly parameters: Readonly<Record<string, string>>
  readonly patience: Patience
  /** Undefined for a request without one. */
  readonly idempotencyKey: string | undefined
}

/** A definite answer. */
export interface CustomerAnswer extends HistoryOutput {
  /** Empty unless the answer names a user. */
  readonly user: string
}

const repeatAfterMs = 100
/** Longer than a request may take. */
const answerWithinMs = 10_000
/** How long a client repeats a request. */
export const repeatWithinMs = 60_000

const Body = z.object({
  error: z.object({ code: z.number() }).optional(),
  user: z.object({ identifier: z.string(), primary_key: z.string().nullish() }).optional(),
  providers: z.record(z.string(), z.looseObject({})).optional(),
})

export function newIdempotencyKey(): string {
  return randomUUID()
}

/** Sends a request as long as the patience lasts. Returns undefined if there was no definite answer. */
export async function send(site: FaultSite, request: CustomerRequest): Promise<CustomerAnswer | undefined> {
  const { patience } = request
  if (typeof patience === 'number') return sendWithin(site, request, patience)
  const until = performance.now() + (patience === 'repeat' ? repeatWithinMs : 0)
  for (;;) {
    const answer = await sendWithin(site, request, answerWithinMs)
    if (answer !== undefined || performance.now() > until) return answer
    await sleep(repeatAfterMs)
  }
}

async function sendWithin(
  { web_api, demo }: FaultSite,
  { operation, parameters, idempotencyKey }: CustomerRequest,
  withinMs: number,
): Promise<CustomerAnswer | undefined> {
  try {
    const response = await fetch(`${web_api}/${operation}?${new URLSearchParams(parameters)}`, {
      headers: {
        authorization: `Bearer ${demo.api_key}`,
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      signal: AbortSignal.timeout(withinMs),
    })
    const body: unknown = await response.json()
    return response.status === 503 ? undefined : readAnswer(body)
  } catch {
    return undefined // reset, refused or timed out
  }
}

function readAnswer(body: unknown): CustomerAnswer {
  const { error, user, providers } = Body.parse(body)
  if (error !== undefined) return { code: error.code, user: '' }
  return {
    code: 0,
    user: user?.identifier ?? '',
    ...(user !== undefined &&
      providers !== undefined && {
        identifier: user.identifier,
        primary_key: user.primary_key ?? '',
        accounts: Object.fromEntries(
          Object.entries(providers).map(([name, object]) => [name, String(object[`${name}_id`])]),
        ),
      }),
  }
}
