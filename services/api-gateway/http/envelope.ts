import { Fault, type FaultName, faults, limits } from '#contracts'
import type { Context } from '#http'

/** Specification, Web API envelope. */
export function answerOk(ctx: Context, answer: object): void {
  write(ctx, 200, { status: 'ok', ...answer })
}

export function answerFault(ctx: Context, name: FaultName): void {
  const { status, code, message } = faults[name]
  ctx.state.fault = name
  if (name === 'unavailable') ctx.set('Retry-After', String(limits.retry_after_seconds))
  write(ctx, status, { status: 'failed', error: { code, message } })
}

/** Answers the refusals of what lies below. A defect goes on up, to be logged. */
export async function envelope(ctx: Context, next: () => Promise<unknown>): Promise<void> {
  try {
    await next()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    answerFault(ctx, error.fault)
  }
}

function write(ctx: Context, status: number, body: object): void {
  ctx.status = status
  ctx.set('Content-Type', 'application/json; charset=utf-8')
  ctx.body = JSON.stringify(body)
}
