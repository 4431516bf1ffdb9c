import type { Role, SiteRoles } from '#admin-api'
import { limits } from '#contracts'
import { type Context, clearCookie, readCookie, setCookie } from '#http'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import type { HeldRoles } from '../domain/roles.ts'
import { addSeconds } from '../domain/time.ts'
import type { Actor } from '../handlers/admin-handler.ts'
import { type MemberSession, touchMemberSession } from '../store/sessions.ts'
import { type StoredToken, useToken } from '../store/tokens.ts'
import type { CountFailure } from './failures.ts'

const sessionCookie = 'console'

/** The actor that a token or session proves. */
export type AuthenticatedActor = Omit<Actor, 'address' | 'request_id' | 'call' | 'audit' | 'auditIn'> & {
  /** Sensitive changes need no new confirmation. */
  readonly confirmed: boolean
}

/**
 * Authenticates by a token in `Authorization`, or else by the session cookie.
 *
 * @throws AdminFault `not_signed_in`, or `too_many_requests` after too many failures from an address
 */
export async function authenticate(ctx: Context, deps: Deps, countFailure: CountFailure): Promise<AuthenticatedActor> {
  const actor =
    ctx.headers.authorization === undefined
      ? await authenticateBySession(ctx, deps)
      : await authenticateByToken(ctx.headers.authorization, deps)
  if (actor !== undefined) return actor
  if (ctx.headers.authorization !== undefined) await countFailure(ctx)
  throw new AdminFault('not_signed_in')
}

async function authenticateByToken(
  authorization: string,
  { knex, now }: Deps,
): Promise<AuthenticatedActor | undefined> {
  const [, secret] = /^Bearer (slt_[\w-]{43})$/i.exec(authorization) ?? []
  const token = secret === undefined ? undefined : await useToken(knex, secret, now())
  if (token === undefined) return undefined
  const { token_id, name } = token
  return {
    name,
    member_id: undefined,
    token_id,
    session_id: undefined,
    ...toHeldRoles(token),
    provider_accounts: new Set(),
    confirmed_until: undefined,
    confirmed: true,
  }
}

function toHeldRoles({ account, role, sites }: Pick<StoredToken, 'account' | 'role' | 'sites'>): HeldRoles {
  if (account === null || role === null) return { operator: account === null, roles: new Map(), site_roles: new Map() }
  if (sites === null) return { operator: false, roles: new Map([[account, role]]), site_roles: new Map() }
  const siteRoles = Object.fromEntries(sites.map((siteId) => [siteId, role]))
  return { operator: false, roles: new Map(), site_roles: new Map([[account, siteRoles]]) }
}

async function authenticateBySession(ctx: Context, deps: Deps): Promise<AuthenticatedActor | undefined> {
  const session = await findMemberSession(ctx, deps)
  if (session === undefined) return undefined
  const confirmedUntil = addSeconds(session.confirmed_at, limits.console_confirmation_seconds)
  const isConfirmed = deps.now() < confirmedUntil
  return {
    name: session.name,
    member_id: session.member_id,
    token_id: undefined,
    session_id: session.session_id,
    operator: session.operator,
    roles: new Map<string, Role>(Object.entries(session.roles)),
    site_roles: new Map<string, SiteRoles>(Object.entries(session.site_roles)),
    provider_accounts: new Set(session.provider_accounts),
    confirmed_until: isConfirmed ? confirmedUntil : undefined,
    // On a development machine, a member can sign in without a passkey and has none to confirm with.
    confirmed: isConfirmed || (deps.isDevelopment && session.passkeys === 0),
  }
}

/** Finds the active session of the request's cookie. */
export async function findMemberSession(ctx: Context, deps: Deps): Promise<MemberSession | undefined> {
  const token = readSessionToken(ctx, deps)
  return token === undefined ? undefined : touchMemberSession(deps.knex, token, deps.now())
}

export function readSessionToken(ctx: Context, { consoleUrl }: Pick<Deps, 'consoleUrl'>): string | undefined {
  return readCookie(ctx.headers.cookie, sessionCookie, consoleUrl)
}

export function setSessionCookie(ctx: Context, token: string, { consoleUrl }: Pick<Deps, 'consoleUrl'>): void {
  const lifeSeconds = limits.console_session_absolute_seconds
  ctx.append('Set-Cookie', setCookie(sessionCookie, token, lifeSeconds, consoleUrl, 'strict'))
}

export function clearSessionCookie(ctx: Context, { consoleUrl }: Pick<Deps, 'consoleUrl'>): void {
  ctx.append('Set-Cookie', clearCookie(sessionCookie, consoleUrl, 'strict'))
}
