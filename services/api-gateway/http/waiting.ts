import { newCall } from '#bus'
import type { Context } from '#http'
import type { Waiting } from '../operation.ts'
import type { RequestSlots } from './request-slots.ts'

/** The slot of a request, which it can give back while it waits. */
export interface HeldSlot extends Disposable {
  readonly release: () => void
  /** @throws Fault `unavailable` if all are taken */
  readonly takeAgain: () => void
}

/** Takes a slot until disposed of. @throws Fault `unavailable` if all are taken */
export function holdSlot(slots: Pick<RequestSlots, 'take'>): HeldSlot {
  let isEnded = false
  let taken: Disposable | undefined = slots.take()
  const release = () => {
    taken?.[Symbol.dispose]()
    taken = undefined
  }
  return {
    release,
    takeAgain() {
      // Parts of a streamed response come later.
      if (!isEnded) taken ??= slots.take()
    },
    [Symbol.dispose]() {
      isEnded = true
      release()
    },
  }
}

export function createWaiting(ctx: Context, slot: HeldSlot, mayGoOn: () => boolean): Waiting {
  const leaving = new AbortController()
  ctx.res.once('close', () => leaving.abort())
  return {
    async wait(work) {
      slot.release()
      const startedAt = performance.now()
      await work(leaving.signal)
      ctx.state.waited_ms = (ctx.state.waited_ms ?? 0) + performance.now() - startedAt
      slot.takeAgain()
    },
    isActive: () => !leaving.signal.aborted && mayGoOn(),
    newCall: () => newCall({ request_id: ctx.state.request_id }),
  }
}
