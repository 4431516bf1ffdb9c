import { hkdfSync, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { z } from 'zod'
import { type Call, newCall } from '#bus'
import { Fault, faultReasonNames, faults, Identifier, isFaultName } from '#contracts'
import { createEncryptor, type Encryptor, keyRing, type Logger } from '#runtime'
import type { ServiceClients } from './bus.ts'
import type { RequestCommand } from './caller.ts'
import type { RequestFingerprint } from './http/idempotency-key.ts'

/**
 * Runs an idempotent request, or replays its stored outcome: a response or a 4xx error. A 5xx outcome leaves open what
 * happened, so it is not stored, and a repeat runs the work again under the same command. While another gateway runs the
 * request, a repeat gets `unavailable`.
 */
export type RunIdempotent = (
  request: RequestFingerprint & { readonly site: number },
  call: Call,
  work: (command: RequestCommand) => Promise<object>,
) => Promise<object>

const Detail = z.object({
  reason: z.enum(faultReasonNames),
  parameter: z.string().optional(),
  place: z.string().optional(),
  rule: z.string().optional(),
})
const Outcome = z.union([
  z.object({ response: z.looseObject({}) }),
  z.object({ fault: z.string().refine(isFaultName), detail: Detail.optional() }),
])
type Outcome = z.infer<typeof Outcome>

/** How long the caller waits at most until its response is stored. Our choice. */
const storeTimeoutMs = 1_000
/** Pauses before the response is stored again. Our choice. */
const storePausesMs = [100, 200, 400, 800, 1_600, 3_200]

/** @param key of 32 bytes, the same for every gateway; the encryption key for stored responses is derived from it */
export function openResponseEncryptor(key: Buffer, base: { logger: Logger; registry: Registry }) {
  const encryptionKey = Buffer.from(hkdfSync('sha256', key, '', 'stored responses', 32))
  return createEncryptor(keyRing(new Map([['stored_responses', encryptionKey]])), base)
}

/** @param encryptor of `openResponseEncryptor` */
export function createRunIdempotent(
  identity: ServiceClients['identity'],
  encryptor: Encryptor,
  logger: Logger,
): RunIdempotent {
  return async (request, call, work) => {
    const { site, idempotency_key } = request
    const context = ['stored_responses', site, idempotency_key]
    const claim = await identity.claimRequest({ ...request, command: randomUUID() }, call).catch(addReusedKeyDetail)
    if ('response' in claim)
      return replayOutcome(await encryptor.decrypt(Buffer.from(claim.response, 'base64'), context))
    const { command } = claim

    const store = async (outcome: Outcome | undefined) => {
      const response = outcome && encryptor.encrypt(JSON.stringify(outcome), context).toString('base64')
      const stored = { site, command, response, identifier: outcome && findShownUser(outcome) }
      const tryToStore = () =>
        identity.storeResponse(stored, newCall({ request_id: call.request_id, withinMs: storeTimeoutMs }))
      // The outcome is valid even if it could not be stored.
      await tryToStore().catch((error: unknown) => {
        logger.warn({ error }, 'idempotent response not stored; trying again, because repeats get 503 meanwhile')
        void storeLater(tryToStore)
      })
    }
    try {
      const response = await work(claim)
      await store({ response: { ...response } })
      return response
    } catch (error) {
      const isDefinite = error instanceof Fault && faults[error.fault].status < 500
      await store(isDefinite ? { fault: error.fault, detail: error.detail } : undefined)
      throw error
    }
  }
}

/** Tries again in the background, for about as long as the claim lasts. After that, a repeat runs the request again. */
async function storeLater(tryToStore: () => Promise<unknown>): Promise<void> {
  for (const pauseMs of storePausesMs) {
    await delay(pauseMs, undefined, { ref: false })
    // `entity_not_found` is an answer: the user was deleted meanwhile.
    const isAnswered = await tryToStore().then(
      () => true,
      (error: unknown) => error instanceof Fault && error.fault === 'entity_not_found',
    )
    if (isAnswered) return
  }
}

/** Adds the reason to the error for a key that was used with another request. */
function addReusedKeyDetail(error: unknown): never {
  if (!(error instanceof Fault) || error.fault !== 'invalid_parameter') throw error
  const detail = { reason: 'idempotency_key_reused', parameter: 'Idempotency-Key' } as const
  throw new Fault(error.fault, { cause: error, detail })
}

function replayOutcome(text: string): object {
  const outcome = Outcome.parse(JSON.parse(text))
  if ('fault' in outcome) throw new Fault(outcome.fault, outcome.detail && { detail: outcome.detail })
  return outcome.response
}

const ShowsUser = z.object({
  response: z.union([z.object({ user: z.object({ identifier: Identifier }) }), z.object({ identifier: Identifier })]),
})

/** The user whose data a response shows: the stored response is deleted with the user. */
function findShownUser(outcome: Outcome): string | undefined {
  const response = ShowsUser.safeParse(outcome).data?.response
  return response && ('user' in response ? response.user.identifier : response.identifier)
}
