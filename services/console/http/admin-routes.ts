import type Router from '@koa/router'
import { type AdminProcedure, type AdminProcedureName, adminApi } from '#admin-api'
import { newCall } from '#bus'
import { type Context, callerAddress, createRouter, type RequestState } from '#http'
import { createCounter } from '#runtime'
import type { Deps } from '../deps.ts'
import { AdminFault } from '../handlers/admin-fault.ts'
import { procedures } from '../handlers/index.ts'
import type { Actor } from '../handlers/procedure.ts'
import { changesSensitiveField } from '../handlers/sensitive-changes.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { requireAccess } from './access.ts'
import { routeOf } from './admin-base.ts'
import { audited } from './audited.ts'
import { authenticate, type Caller } from './authenticate.ts'
import type { CountFailure } from './failures.ts'
import { readInput } from './input.ts'
import { requireOwnPage } from './own-page.ts'
import { refusalOf } from './refusals.ts'
import { readExpectedRevision, tellRevision } from './revision.ts'

/** Any procedure, with what does it; that the two fit each other, `procedures` holds. */
type AnyRun = (input: unknown, deps: Deps, actor: Actor & { expected_revision?: number }) => Promise<unknown>

/** The Admin API, made of its procedures. The order of the lines is the order of the checks. */
export function adminRoutes(deps: Deps, countFailure: CountFailure): Router<RequestState> {
  const router = createRouter()
  const made = createCounter(deps.registry, 'sociallogin_console_changes_total')
  for (const name of Object.keys(adminApi) as AdminProcedureName[]) {
    const procedure: AdminProcedure = adminApi[name]
    const run = procedures[name] as AnyRun
    router.register(routeOf(procedure), [procedure.method], async (ctx) => {
      const answer = async () => {
        const caller = await authenticate(ctx, deps, countFailure)
        if (caller.session_id !== undefined && procedure.method !== 'GET') requireOwnPage(ctx, deps)
        const { account, site_id } = ctx.params
        if (account !== undefined) ctx.state.siteName = site_id === undefined ? account : `${account}/${site_id}`
        requireAccess(procedure, account, caller)
        const expectedRevision = readExpectedRevision(ctx, procedure)
        const input = await readInput(ctx, procedure, ctx.params)
        return carryOut({ name, procedure, run }, input, ctx, deps, { caller, expected_revision: expectedRevision })
      }
      if (!changes(procedure)) {
        ctx.body = await answer()
        return
      }
      try {
        ctx.body = await answer()
        made.inc({ procedure: name, outcome: 'ok' })
      } catch (error) {
        made.inc({ procedure: name, outcome: refusalOf(error)?.fault ?? 'defect' })
        throw error
      }
    })
  }
  return router
}

interface Chosen {
  readonly name: AdminProcedureName
  readonly procedure: AdminProcedure
  readonly run: AnyRun
}

/** Runs a procedure for a caller who may; a change is in the audit trail before it begins. */
async function carryOut(
  { name, procedure, run }: Chosen,
  input: Readonly<Record<string, unknown>>,
  ctx: Context,
  deps: Deps,
  { caller, expected_revision }: { caller: Caller; expected_revision: number | undefined },
): Promise<unknown> {
  const { request_id } = ctx.state
  const address = callerAddress(ctx.req, deps.trusted_hops) ?? 'unknown'
  const { confirmed, ...who } = caller
  const call = newCall({ request_id })
  if (!confirmed && (await changesSensitiveField(name, input, deps, call))) throw new AdminFault('passkey_needed')
  const actor = {
    ...who,
    ...{ address, request_id, call },
    ...(expected_revision === undefined ? {} : { expected_revision }),
  }
  const entry = {
    act: name,
    account: textOf(input.account),
    site_id: textOf(input.site_id),
    actor: caller.name,
    member_id: caller.member_id ?? null,
    token_id: caller.token_id ?? null,
    ...{ address, request_id },
    ...(procedure.method === 'DELETE'
      ? { before: withoutPath(input), after: null }
      : { before: null, after: withoutPath(input) }),
  }
  const answer = changes(procedure)
    ? await audited(entry, deps, (audits) => run(input, deps, { ...actor, ...audits }))
    : await run(input, deps, { ...actor, ...unaudited })
  const output = procedure.output.parse(answer)
  // Before the response is sent, so that no read is missing in the audit trail.
  if (procedure.personal === true) await insertEntry(deps.knex, { ...entry, at: deps.now() })
  tellRevision(ctx, procedure, output)
  return output
}

function changes({ method, reads }: AdminProcedure): boolean {
  return method !== 'GET' && reads !== true
}

/** Who only reads has nothing to tell. */
const unaudited = { audit: () => {}, auditIn: async () => {} }

/** What was sent, without what the entry names anyway. */
function withoutPath({ account: _, site_id: __, ...sent }: Readonly<Record<string, unknown>>): unknown {
  return sent
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
