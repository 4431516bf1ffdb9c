import type { z } from 'zod'
import type { SignInRoutes } from '#admin-api'
import { limits } from '#contracts'
import { transaction } from '#database'
import { type Context, callerAddress, readCookie, setCookie } from '#http'
import { newToken, toTimestamp } from '#runtime'
import type { Deps } from '../deps.ts'
import { secondsAfter } from '../domain/lives.ts'
import { AdminFault } from '../handlers/admin-fault.ts'
import { forgetSession, sessionOf, sessionToken } from '../http/authenticate.ts'
import { sourceOf } from '../http/source.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { deleteSessionOfToken, type OpenSession, updateConfirmed } from '../store/sessions.ts'
import type { BeginSession } from './begin-session.ts'
import { askForNewPasskey, askForPasskey, type FromBrowser, verifyNewPasskey, verifyPasskey } from './ceremony.ts'
import {
  acceptAsMember,
  acceptAtOnce,
  acceptWithPasskey,
  keepPasskey,
  memberOfLink,
  requireInvitation,
} from './links.ts'
import { leaveForProvider } from './visit.ts'

/** What answers each route. */
export type Answers = {
  readonly [K in keyof SignInRoutes]: (
    input: z.output<SignInRoutes[K]['input']>,
    ctx: Context,
  ) => Promise<z.input<SignInRoutes[K]['output']>>
}

const ceremonyCookie = 'console-ceremony'

export function answersOf(deps: Deps, begin: BeginSession): Answers {
  const { knex, now, console_url } = deps

  const requireSession = async (ctx: Context): Promise<OpenSession> => {
    const session = await sessionOf(ctx, deps)
    if (session === undefined) throw new AdminFault('not_signed_in')
    return session
  }
  const browserOf = (ctx: Context): string => readCookie(ctx.headers.cookie, ceremonyCookie, console_url) ?? ''
  /** The browser's part in the ceremonies it begins, several tabs alike. */
  const markBrowser = (ctx: Context): FromBrowser => {
    const browser = browserOf(ctx) || newToken()
    const lifeSeconds = limits.console_challenge_seconds
    ctx.append('Set-Cookie', setCookie(ceremonyCookie, browser, lifeSeconds, console_url, 'strict'))
    return { browser, source: sourceOf(ctx, deps) }
  }
  const whereOf = (ctx: Context) => ({
    address: callerAddress(ctx.req, deps.trusted_hops) ?? 'unknown',
    request_id: ctx.state.request_id,
  })

  return {
    async signInOptions(_, ctx) {
      const options = await askForPasskey({ ...markBrowser(ctx), purpose: 'sign_in' }, deps)
      return { options, provider: deps.operator_provider?.name ?? null }
    },

    async signIn({ response }, ctx) {
      const { member_id } = await verifyPasskey(response, { browser: browserOf(ctx), purpose: 'sign_in' }, deps)
      return { name: await begin(ctx, { member_id, by: 'passkey' }) }
    },

    async openLink({ token }, ctx) {
      const { name, account, role, signs_in, expires_at } = await requireInvitation(token, deps)
      if (signs_in && deps.development) {
        await begin(ctx, { member_id: await acceptAtOnce({ token, where: whereOf(ctx) }, deps), by: 'link' })
        return { next: 'signed_in' }
      }
      const session = await sessionOf(ctx, deps)
      return {
        next: session !== undefined && account !== null ? 'join' : 'passkey',
        name,
        account,
        role,
        expires_at: toTimestamp(expires_at),
        signed_in_as: session?.name ?? null,
      }
    },

    async join({ token }, ctx) {
      const { member_id } = await requireSession(ctx)
      await acceptAsMember({ token, member_id, where: whereOf(ctx) }, deps)
      return {}
    },

    async passkeyOptions({ token }, ctx) {
      const from = markBrowser(ctx)
      if (token === undefined) {
        const { member_id, name } = await requireConfirmed(await requireSession(ctx), deps)
        return { options: await askForNewPasskey({ ...from, member_id, name }, deps) }
      }
      const invitation = await requireInvitation(token, deps)
      const { name, invitation_id } = invitation
      const memberId = await memberOfLink(invitation, deps)
      return { options: await askForNewPasskey({ ...from, member_id: memberId, name, invitation_id }, deps) }
    },

    async addPasskey({ token, name, response }, ctx) {
      const session = token === undefined ? await requireConfirmed(await requireSession(ctx), deps) : undefined
      const made = await verifyNewPasskey(response, { browser: browserOf(ctx) }, deps)
      if (token !== undefined) {
        const memberId = await acceptWithPasskey({ token, name, made, where: whereOf(ctx) }, deps)
        await begin(ctx, { member_id: memberId, by: 'passkey' })
      } else {
        // Asked for in this very browser, but by somebody who signed out since.
        if (made.member_id !== session?.member_id || made.invitation_id !== null) throw new AdminFault('not_signed_in')
        const { member_id, name: actor } = session
        await transaction(knex, async (trx) => {
          await keepPasskey(trx, { name, made }, now())
          const whole = { at: now(), act: 'addPasskey', account: null, site_id: null, actor, member_id, token_id: null }
          await insertEntry(trx, {
            ...whole,
            ...whereOf(ctx),
            before: null,
            after: { passkey_id: made.credential.id, name },
          })
        })
      }
      return { passkey_id: made.credential.id }
    },

    async confirmOptions(_, ctx) {
      const { member_id } = await requireSession(ctx)
      return { options: await askForPasskey({ ...markBrowser(ctx), purpose: 'confirm', member_id }, deps) }
    },

    async confirm({ response }, ctx) {
      const { member_id, session_id } = await requireSession(ctx)
      await verifyPasskey(response, { browser: browserOf(ctx), purpose: 'confirm', member_id }, deps)
      const confirmedAt = now()
      await updateConfirmed(knex, session_id, confirmedAt)
      return { confirmed_until: toTimestamp(secondsAfter(confirmedAt, limits.console_confirmation_seconds)) }
    },

    async signInAtProvider({ token, confirm, return_to }, ctx) {
      const invitation = token === undefined ? undefined : await requireInvitation(token, deps)
      const session = confirm ? await requireSession(ctx) : undefined
      const wish = {
        return_to,
        invitation_id: invitation?.invitation_id ?? null,
        session_id: session?.session_id ?? null,
      }
      return { location: await leaveForProvider(ctx, wish, deps) }
    },

    async signOut(_, ctx) {
      const token = sessionToken(ctx, deps)
      if (token !== undefined) await deleteSessionOfToken(knex, token)
      forgetSession(ctx, deps)
      return {}
    },
  }
}

/** A passkey may only be added by somebody who just proved who they are; who has none yet, has by a development link. */
async function requireConfirmed(session: OpenSession, { now, development }: Deps): Promise<OpenSession> {
  const until = secondsAfter(session.confirmed_at, limits.console_confirmation_seconds)
  if (now() < until || (development && session.passkeys === 0)) return session
  throw new AdminFault('passkey_needed')
}
