import { newCall } from '#bus'
import type { Context } from '#http'
import type { Waiting } from '../caller.ts'
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

/** @param mayGoOn whether the key of the request is valid, and this process does not stop */
export function createWaiting(ctx: Context, slot: HeldSlot, mayGoOn: () => boolean): Waiting {
  const isGone = () => ctx.res.closed || ctx.res.destroyed
  // Most requests do not wait.
  let leaving: AbortController | undefined
  const watchCaller = () => {
    if (leaving === undefined) {
      const controller = new AbortController()
      if (isGone()) controller.abort()
      else ctx.res.once('close', () => controller.abort())
      leaving = controller
    }
    return leaving.signal
  }
  return {
    async wait(work) {
      slot.release()
      const startedAt = performance.now()
      await work(watchCaller())
      ctx.state.waited_ms = (ctx.state.waited_ms ?? 0) + performance.now() - startedAt
      slot.takeAgain()
    },
    isActive: () => !isGone() && mayGoOn(),
    newCall: () => newCall({ request_id: ctx.state.request_id }),
  }
}
