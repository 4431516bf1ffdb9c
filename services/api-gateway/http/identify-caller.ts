import type { Registry } from 'prom-client'
import { Fault } from '#contracts'
import type { Context } from '#http'
import { createCounter } from '#runtime'
import type { SiteEntry } from '../site-table.ts'
import { type CheckCaller, type CheckedCaller, describeCaller } from './check-caller.ts'
import type { RejectCaller, Rejection } from './reject-caller.ts'

export interface IdentifyCaller {
  /** Returns the calling site by the API keys in the request. @throws Fault if the caller is rejected */
  readonly byKeys: (ctx: Context, keys: readonly string[], withoutKey?: Rejection) => Promise<SiteEntry>
  /** Returns the site of a caller that was checked already. @throws Fault if the caller is rejected */
  readonly byCheck: (ctx: Context, caller: CheckedCaller | undefined) => Promise<SiteEntry>
}

export interface IdentifyCallerOptions {
  readonly checkCaller: CheckCaller
  readonly reject: RejectCaller
  readonly registry: Registry
}

/** Identifies callers in the app: their state, counters and errors. */
export function createIdentifyCaller({ checkCaller, reject, registry }: IdentifyCallerOptions): IdentifyCaller {
  const checks = createCounter(registry, 'sociallogin_apikey_checks_total')
  const byCheck: IdentifyCaller['byCheck'] = async (ctx, caller) => {
    if (caller === undefined) throw new Fault('unavailable')
    Object.assign(ctx.state, describeCaller(caller))
    if (caller.rejection !== undefined) throw await reject(ctx, caller.rejection, caller.address)
    checks.inc({ result: 'ok' })
    return caller.site
  }
  return {
    byCheck,
    byKeys: (ctx, keys, withoutKey) => byCheck(ctx, checkCaller(ctx.req, keys, withoutKey)),
  }
}
