import type Router from '@koa/router'
import { type AdminProcedure, type AdminProcedureName, adminApi } from '#admin-api'
import { newCall } from '#bus'
import { type Context, callerAddress, createRouter, type RequestState, readMaxAge, setAge } from '#http'
import { createCounter } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import { toRoutePath } from '../admin-paths.ts'
import type { Deps } from '../deps.ts'
import type { Actor } from '../handlers/admin-handler.ts'
import { adminHandlers } from '../handlers/index.ts'
import { changesSensitiveField } from '../handlers/sensitive-changes.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { requireAccess } from './access.ts'
import { type AuthenticatedActor, authenticate } from './authenticate.ts'
import { toAdminFault } from './errors.ts'
import type { CountFailure } from './failures.ts'
import { readInput } from './input.ts'
import { requireConsoleOrigin } from './require-console-origin.ts'
import { readExpectedRevision, setRevision } from './revision.ts'
import { runAudited } from './run-audited.ts'

/** The handler of any procedure; the type of `adminHandlers` guarantees that handler and procedure match. */
type AnyHandler = (input: unknown, deps: Deps, actor: Actor & { expected_revision?: number }) => Promise<unknown>

/** Creates the routes of the Admin API from its procedures. The order of the lines is the order of the checks. */
export function createAdminRoutes(deps: Deps, countFailure: CountFailure): Router<RequestState> {
  const router = createRouter()
  const changesTotal = createCounter(deps.registry, 'sociallogin_console_changes_total')
  for (const name of Object.keys(adminApi) as AdminProcedureName[]) {
    const procedure: AdminProcedure = adminApi[name]
    const run = adminHandlers[name] as AnyHandler
    router.register(toRoutePath(procedure), [procedure.method], async (ctx) => {
      const respond = async () => {
        const actor = await authenticate(ctx, deps, countFailure)
        if (actor.session_id !== undefined && procedure.method !== 'GET') requireConsoleOrigin(ctx, deps)
        const { account, site_id } = ctx.params
        if (account !== undefined) ctx.state.siteName = site_id === undefined ? account : `${account}/${site_id}`
        requireAccess(procedure, { account, site_id }, actor)
        const expectedRevision = readExpectedRevision(ctx, procedure)
        const input = await readInput(ctx, procedure, ctx.params)
        return runProcedure({ name, procedure, run }, input, ctx, deps, { actor, expected_revision: expectedRevision })
      }
      if (!isChange(procedure)) {
        ctx.body = await respond()
        return
      }
      try {
        ctx.body = await respond()
        changesTotal.inc({ procedure: name, outcome: 'ok' })
      } catch (error) {
        changesTotal.inc({ procedure: name, outcome: toAdminFault(error)?.fault ?? 'defect' })
        throw error
      }
    })
  }
  return router
}

interface MatchedProcedure {
  readonly name: AdminProcedureName
  readonly procedure: AdminProcedure
  readonly run: AnyHandler
}

/** Runs a procedure after the access check. A change is in the audit trail before it starts. */
async function runProcedure(
  { name, procedure, run }: MatchedProcedure,
  input: Readonly<Record<string, unknown>>,
  ctx: Context,
  deps: Deps,
  { actor: authenticated, expected_revision }: { actor: AuthenticatedActor; expected_revision: number | undefined },
): Promise<unknown> {
  const { request_id } = ctx.state
  const address = callerAddress(ctx.req, deps.trustedHops) ?? 'unknown'
  const { confirmed, ...identity } = authenticated
  const call = newCall({ request_id, maxAgeMs: procedure.mayBeStale ? readMaxAge(ctx) : undefined })
  if (!confirmed && (await changesSensitiveField(name, input, deps, call))) throw new AdminFault('passkey_required')
  const actor = {
    ...identity,
    address,
    request_id,
    call,
    ...(expected_revision === undefined ? {} : { expected_revision }),
  }
  const entry = {
    action: name,
    account: toTextOrNull(input.account),
    site_id: toTextOrNull(input.site_id),
    actor: authenticated.name,
    member_id: authenticated.member_id ?? null,
    token_id: authenticated.token_id ?? null,
    address,
    request_id,
    ...(procedure.method === 'DELETE'
      ? { before: toAudited(input, procedure), after: null }
      : { before: null, after: toAudited(input, procedure) }),
  }
  const result = isChange(procedure)
    ? await runAudited(entry, deps, (audits) => run(input, deps, { ...actor, ...audits }))
    : await run(input, deps, { ...actor, ...noAudit })
  const output = procedure.output.parse(result)
  // Before the response is sent, so that no read is missing in the audit trail.
  if (procedure.returnsPersonalData === true) await insertEntry(deps.knex, { ...entry, at: deps.now() })
  setRevision(ctx, procedure, output)
  setAge(ctx, call.staleness?.ageMs)
  return output
}

function isChange({ method, readOnly: reads, partOf }: AdminProcedure): boolean {
  return method !== 'GET' && reads !== true && partOf === undefined
}

/** Reads have no audit entry of their own. */
const noAudit = { audit: () => {}, auditIn: async () => {} }

/** The input without the fields that the entry has as columns, and without personal data. */
function toAudited(input: Readonly<Record<string, unknown>>, { personalFields = [] }: AdminProcedure): unknown {
  const omitted = new Set(['account', 'site_id', ...personalFields])
  return Object.fromEntries(Object.entries(input).filter(([name]) => !omitted.has(name)))
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
