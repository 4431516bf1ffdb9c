import { randomBytes } from 'node:crypto'
import type { Context } from 'koa'
import type { FinishedLogin, PendingLogin } from './oidc.ts'

/** A browser's session. It is stored on the server; the cookie contains only its random ID. */
export interface Session {
  /** Logins in progress by their state. There can be several, in several tabs. */
  readonly pending: Map<string, PendingLogin>
  /** Undefined until the user has logged in. The claim `sub` is the user's identifier. */
  readonly login: FinishedLogin | undefined
}

export interface Sessions {
  readonly find: (ctx: Context) => Session | undefined
  /** A session with a new ID. It replaces the browser's earlier session, which prevents session fixation. */
  readonly start: (ctx: Context, login?: FinishedLogin) => Session
  readonly end: (ctx: Context) => void
}

const cookie = 'shop_session'
const lifeMs = 3_600_000
const mostSessions = 10_000
const mostPending = 10

/** Sessions in memory. With several servers, use a shared store. */
export function createSessions({ secure }: { secure: boolean }): Sessions {
  const sessions = new Map<string, { session: Session; endsAt: number }>()

  const remove = (ctx: Context) => {
    const name = ctx.cookies.get(cookie)
    if (name !== undefined) sessions.delete(name)
  }
  return {
    find(ctx) {
      const stored = sessions.get(ctx.cookies.get(cookie) ?? '')
      return stored !== undefined && stored.endsAt > Date.now() ? stored.session : undefined
    },
    start(ctx, login) {
      remove(ctx)
      for (const [name, { endsAt }] of sessions) {
        if (sessions.size < mostSessions && endsAt > Date.now()) break
        sessions.delete(name)
      }
      const name = randomBytes(32).toString('base64url')
      const session = { pending: new Map<string, PendingLogin>(), login }
      sessions.set(name, { session, endsAt: Date.now() + lifeMs })
      // Behind a proxy that terminates TLS this connection is HTTP, but the cookie must be secure.
      ctx.cookies.secure = secure
      ctx.cookies.set(cookie, name, { httpOnly: true, sameSite: 'lax', secure, overwrite: true })
      return session
    },
    end(ctx) {
      remove(ctx)
      ctx.cookies.set(cookie, null)
    },
  }
}

export function remember({ pending }: Session, login: PendingLogin): void {
  for (const state of pending.keys()) {
    if (pending.size < mostPending) break
    pending.delete(state)
  }
  pending.set(login.state, login)
}

/** Returns the login with this state if this browser started it, once. */
export function recall(session: Session | undefined, state: string | null): PendingLogin | undefined {
  if (session === undefined || state === null) return undefined
  const login = session.pending.get(state)
  session.pending.delete(state)
  return login
}
