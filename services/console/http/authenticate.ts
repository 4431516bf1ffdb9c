import type { Role } from '#admin-api'
import { limits } from '#contracts'
import { type Context, clearCookie, readCookie, setCookie } from '#http'
import type { Deps } from '../deps.ts'
import { secondsAfter } from '../domain/lives.ts'
import { AdminFault } from '../handlers/admin-fault.ts'
import type { Actor } from '../handlers/procedure.ts'
import { type OpenSession, seeSession } from '../store/sessions.ts'
import { useToken } from '../store/tokens.ts'
import type { CountFailure } from './failures.ts'

const sessionCookie = 'console'

/** Who sent the request, as far as the request itself proves it. */
export type Caller = Omit<Actor, 'address' | 'request_id' | 'call' | 'audit' | 'auditIn'> & {
  /** Sensitive acts need no passkey first. */
  readonly confirmed: boolean
}

/**
 * The caller, by a token in `Authorization` or else by the session's cookie.
 *
 * @throws AdminFault `not_signed_in`, or `too_many_requests` after too many bad ones from an address
 */
export async function authenticate(ctx: Context, deps: Deps, countFailure: CountFailure): Promise<Caller> {
  const caller =
    ctx.headers.authorization === undefined
      ? await bySession(ctx, deps)
      : await byToken(ctx.headers.authorization, deps)
  if (caller !== undefined) return caller
  if (ctx.headers.authorization !== undefined) await countFailure(ctx)
  throw new AdminFault('not_signed_in')
}

async function byToken(authorization: string, { knex, now }: Deps): Promise<Caller | undefined> {
  const [, secret] = /^Bearer (slt_[\w-]{43})$/i.exec(authorization) ?? []
  const token = secret === undefined ? undefined : await useToken(knex, secret, now())
  if (token === undefined) return undefined
  const { token_id, name, account, role } = token
  return {
    name,
    member_id: undefined,
    token_id,
    session_id: undefined,
    operator: account === null,
    roles: account === null || role === null ? new Map() : new Map([[account, role]]),
    confirmed_until: undefined,
    confirmed: true,
  }
}

async function bySession(ctx: Context, deps: Deps): Promise<Caller | undefined> {
  const session = await sessionOf(ctx, deps)
  if (session === undefined) return undefined
  const confirmedUntil = secondsAfter(session.confirmed_at, limits.console_confirmation_seconds)
  const stillConfirmed = deps.now() < confirmedUntil
  return {
    name: session.name,
    member_id: session.member_id,
    token_id: undefined,
    session_id: session.session_id,
    operator: session.operator,
    roles: new Map<string, Role>(Object.entries(session.roles)),
    confirmed_until: stillConfirmed ? confirmedUntil : undefined,
    // On a development machine somebody may do without a passkey, and then has none to confirm with.
    confirmed: stillConfirmed || (deps.development && session.passkeys === 0),
  }
}

/** The live session of the request's cookie. */
export async function sessionOf(ctx: Context, deps: Deps): Promise<OpenSession | undefined> {
  const token = sessionToken(ctx, deps)
  return token === undefined ? undefined : seeSession(deps.knex, token, deps.now())
}

export function sessionToken(ctx: Context, { console_url }: Pick<Deps, 'console_url'>): string | undefined {
  return readCookie(ctx.headers.cookie, sessionCookie, console_url)
}

export function keepSession(ctx: Context, token: string, { console_url }: Pick<Deps, 'console_url'>): void {
  const lifeSeconds = limits.console_session_absolute_seconds
  ctx.append('Set-Cookie', setCookie(sessionCookie, token, lifeSeconds, console_url, 'strict'))
}

export function forgetSession(ctx: Context, { console_url }: Pick<Deps, 'console_url'>): void {
  ctx.append('Set-Cookie', clearCookie(sessionCookie, console_url, 'strict'))
}
