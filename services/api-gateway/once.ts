import { hkdfSync } from 'node:crypto'
import type { Registry } from 'prom-client'
import { z } from 'zod'
import { type Call, newCall } from '#bus'
import { Fault, faultReasonNames, faults, isFaultName } from '#contracts'
import { createEncryptor, type Encryptor, keyRing, type Logger } from '#runtime'
import type { ServiceClients } from './bus.ts'
import type { Repeatable } from './http/repeatable.ts'
import { User } from './objects/user.ts'

/**
 * Does the work of a repeatable request, or tells the answer its first time had: an answer or a refusal of 4xx. One of 5xx
 * is not kept, since it leaves open what happened: the repeat does the work again under the same command. While another
 * gateway is at it the request is refused with `unavailable`.
 */
export type Once = (
  request: Repeatable & { readonly site: number },
  call: Call,
  work: (command: string) => Promise<object>,
) => Promise<object>

const Detail = z.object({ reason: z.enum(faultReasonNames), parameter: z.string().optional() })
const Outcome = z.union([
  z.object({ answer: z.looseObject({}) }),
  z.object({ fault: z.string().refine(isFaultName), detail: Detail.optional() }),
])
type Outcome = z.infer<typeof Outcome>

/** How long the caller waits at most for its answer to be kept. Our choice. */
const keepMs = 1_000

/** @param key of 32 bytes, the same for every gateway: what is kept is encrypted under a key that comes of it */
export function openAnswersEncryptor(key: Buffer, base: { logger: Logger; registry: Registry }) {
  const encryptionKey = Buffer.from(hkdfSync('sha256', key, '', 'kept answers', 32))
  return createEncryptor(keyRing(new Map([['answers', encryptionKey]])), base)
}

/** @param encryptor of `openAnswersEncryptor` */
export function createOnce(asked: ServiceClients['identity'], encryptor: Encryptor, logger: Logger): Once {
  const placeOf = ({ site, idempotency_key }: Parameters<Once>[0]) => ['answers', site, idempotency_key]

  return async (request, call, work) => {
    const { site } = request
    const claimed = await asked.claimAnswer(request, call).catch(refuseOtherRequest)
    if ('kept' in claimed) return tell(await encryptor.decrypt(Buffer.from(claimed.kept, 'base64'), placeOf(request)))
    const { command } = claimed

    const keep = async (outcome: Outcome | undefined) => {
      const encrypted = outcome && encryptor.encrypt(JSON.stringify(outcome), placeOf(request)).toString('base64')
      const kept = { site, command, answer: encrypted, about: outcome && shownUser(outcome) }
      const keeping = newCall({ request_id: call.request_id, withinMs: keepMs })
      // The caller's answer is true whether it was kept or not.
      await asked.keepAnswer(kept, keeping).catch((error: unknown) => logger.warn({ error }, 'An answer was not kept.'))
    }
    try {
      const answer = await work(command)
      await keep({ answer: { ...answer } })
      return answer
    } catch (error) {
      const isDefinite = error instanceof Fault && faults[error.fault].status < 500
      await keep(isDefinite ? { fault: error.fault, detail: error.detail } : undefined)
      throw error
    }
  }
}

/** Adds the detail to the refusal of a key that was used with another request. */
function refuseOtherRequest(error: unknown): never {
  if (!(error instanceof Fault) || error.fault !== 'invalid_parameter') throw error
  const detail = { reason: 'idempotency_key_reused', parameter: 'Idempotency-Key' } as const
  throw new Fault(error.fault, { cause: error, detail })
}

function tell(text: string): object {
  const outcome = Outcome.parse(JSON.parse(text))
  if ('fault' in outcome) throw new Fault(outcome.fault, outcome.detail && { detail: outcome.detail })
  return outcome.answer
}

const ShowsUser = z.object({ answer: z.object({ user: User }) })

/** The user whose record or profile an answer shows: what is kept of it goes when the user goes. */
function shownUser(outcome: Outcome): string | undefined {
  return ShowsUser.safeParse(outcome).data?.answer.user.identifier
}
