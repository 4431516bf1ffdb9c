import { Fault, type FaultDetail, type FaultName, faults, limits } from '#contracts'
import type { Context } from '#http'

export const jsonType = 'application/json; charset=utf-8'

/** Sends a successful response (specification, Web API envelope). */
export function sendOk(ctx: Context, body: object): void {
  write(ctx, 200, { status: 'ok', ...body })
}

export interface Envelope {
  readonly sendFault: (ctx: Context, name: FaultName, detail?: FaultDetail) => void
  /** Middleware that sends the response for a thrown `Fault` and rethrows any other error. */
  readonly handleFaults: (ctx: Context, next: () => Promise<unknown>) => Promise<void>
}

/** @param webApiUrl the public base URL, without `/api`; used in `documentation` of errors */
export function createEnvelope(webApiUrl: string): Envelope {
  const sendFault: Envelope['sendFault'] = (ctx, name, detail) => {
    const { status, body, documentation } = describeFault(webApiUrl, name, {
      detail,
      isShort: ctx.state.hasShortErrors,
    })
    ctx.state.fault = name
    ctx.state.faultDetail = detail
    ctx.state.faultDocumentation = documentation
    if (name === 'unavailable') ctx.set('Retry-After', String(limits.retry_after_seconds))
    write(ctx, status, body)
  }
  return {
    sendFault,
    async handleFaults(ctx, next) {
      try {
        await next()
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        sendFault(ctx, error.fault, error.detail)
      }
    },
  }
}

/** The response to a request with an error. @param isShort whether it has `code` and `message` only */
export function describeFault(
  webApiUrl: string,
  name: FaultName,
  {
    detail,
    isShort = false,
  }: { readonly detail?: FaultDetail | undefined; readonly isShort?: boolean | undefined } = {},
) {
  const { status, code, message } = faults[name]
  const documentation = documentationOf(webApiUrl, name)
  const error = isShort ? { code, message } : { code, message, ...detail, documentation }
  return { status, documentation, body: { status: 'failed', error } }
}

/** The URL of an error's documentation. */
function documentationOf(webApiUrl: string, name: FaultName): string {
  return `${webApiUrl}/docs#error-${faults[name].code}`
}

function write(ctx: Context, status: number, body: object): void {
  ctx.status = status
  ctx.set('Content-Type', jsonType)
  ctx.body = JSON.stringify(body)
}
