import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { createReason, type SignInRoutes } from '#admin-api'
import { limits } from '#contracts'
import { transaction } from '#database'
import { type Context, callerAddress, readCookie, setCookie } from '#http'
import { newToken, toTimestamp } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { readDomain } from '../domain/member-claims.ts'
import { addSeconds } from '../domain/time.ts'
import { clearSessionCookie, findMemberSession, readSessionToken } from '../http/authenticate.ts'
import { sourceOf } from '../http/source.ts'
import { findAccountProvider, findProviderOfDomain } from '../store/account-providers.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { deleteSessionOfToken, type MemberSession, updateConfirmed } from '../store/sessions.ts'
import {
  acceptAsMember,
  acceptWithoutPasskey,
  acceptWithPasskey,
  findInvitedMember,
  requireInvitation,
  storePasskey,
} from './accept-invitation.ts'
import { acceptNoticeLink, readNoticeLink } from './notice-links.ts'
import {
  type BrowserRequest,
  createAssertionOptions,
  createRegistrationOptions,
  verifyAssertion,
  verifyRegistration,
} from './passkeys.ts'
import { startAccountSignIn, startProviderSignIn } from './start-provider-sign-in.ts'
import type { StartSession } from './start-session.ts'

/** The handlers of the sign-in routes, by name. */
export type SignInHandlers = {
  readonly [K in keyof SignInRoutes]: (
    input: z.output<SignInRoutes[K]['input']>,
    ctx: Context,
  ) => Promise<z.input<SignInRoutes[K]['output']>>
}

const passkeyCookie = 'console-passkey'

export function createSignInHandlers(deps: Deps, startSession: StartSession): SignInHandlers {
  const { knex, now, consoleUrl } = deps

  const requireSession = async (ctx: Context): Promise<MemberSession> => {
    const session = await findMemberSession(ctx, deps)
    if (session === undefined) throw new AdminFault('not_signed_in')
    return session
  }
  const readBrowser = (ctx: Context): string => readCookie(ctx.headers.cookie, passkeyCookie, consoleUrl) ?? ''
  /** Binds challenges to the browser with a random cookie, which all its tabs share. */
  const markBrowser = (ctx: Context): BrowserRequest => {
    const browser = readBrowser(ctx) || newToken()
    const lifeSeconds = limits.console_challenge_seconds
    ctx.append('Set-Cookie', setCookie(passkeyCookie, browser, lifeSeconds, consoleUrl, 'strict'))
    return { browser, source: sourceOf(ctx, deps) }
  }
  const getOrigin = (ctx: Context) => ({
    address: callerAddress(ctx.req, deps.trustedHops) ?? 'unknown',
    request_id: ctx.state.request_id,
  })

  return {
    async signInOptions(_, ctx) {
      const options = await createAssertionOptions({ ...markBrowser(ctx), purpose: 'sign_in' }, deps)
      const session = await findMemberSession(ctx, deps)
      return { options, provider: deps.operatorProvider?.name ?? null, signed_in: session !== undefined }
    },

    async signIn({ response }, ctx) {
      const { member_id } = await verifyAssertion(response, { browser: readBrowser(ctx), purpose: 'sign_in' }, deps)
      return { name: await startSession(ctx, { member_id, by: 'passkey' }) }
    },

    async openLink({ token }, ctx) {
      const { name, account, role, site_roles, signs_in, expires_at } = await requireInvitation(token, deps)
      if (signs_in && deps.isDevelopment) {
        await startSession(ctx, {
          member_id: await acceptWithoutPasskey({ token, where: getOrigin(ctx) }, deps),
          by: 'link',
        })
        return { next: 'signed_in' }
      }
      const session = await findMemberSession(ctx, deps)
      return {
        next: session !== undefined && account !== null ? 'join' : 'passkey',
        name,
        account,
        role,
        site_roles,
        expires_at: toTimestamp(expires_at),
        signed_in_as: session?.name ?? null,
      }
    },

    async join({ token }, ctx) {
      const { member_id } = requireUnmanaged(await requireSession(ctx))
      await acceptAsMember({ token, member_id, where: getOrigin(ctx) }, deps)
      return {}
    },

    async passkeyOptions({ token }, ctx) {
      const from = markBrowser(ctx)
      if (token === undefined) {
        const { member_id, name } = await requireConfirmed(requireUnmanaged(await requireSession(ctx)), deps)
        return { options: await createRegistrationOptions({ ...from, member_id, name }, deps) }
      }
      const invitation = await requireInvitation(token, deps)
      const { name, invitation_id } = invitation
      const memberId = await findInvitedMember(invitation, deps)
      return { options: await createRegistrationOptions({ ...from, member_id: memberId, name, invitation_id }, deps) }
    },

    async addPasskey({ token, name, response }, ctx) {
      const session =
        token === undefined ? await requireConfirmed(requireUnmanaged(await requireSession(ctx)), deps) : undefined
      const made = await verifyRegistration(response, { browser: readBrowser(ctx) }, deps)
      if (token !== undefined) {
        const memberId = await acceptWithPasskey({ token, name, made, where: getOrigin(ctx) }, deps)
        await startSession(ctx, { member_id: memberId, by: 'passkey' })
      } else {
        // The challenge was created in this browser, but for a member who signed out since.
        if (made.member_id !== session?.member_id || made.invitation_id !== null) throw new AdminFault('not_signed_in')
        const { member_id, name: actor } = session
        await transaction(knex, async (trx) => {
          await storePasskey(trx, { name, made }, now())
          const entry = {
            at: now(),
            action: 'addPasskey',
            account: null,
            site_id: null,
            actor,
            member_id,
            token_id: null,
          }
          await insertEntry(trx, {
            ...entry,
            ...getOrigin(ctx),
            before: null,
            after: { passkey_id: made.credential.id, name },
          })
        })
      }
      return { passkey_id: made.credential.id }
    },

    async confirmOptions(_, ctx) {
      const { member_id } = await requireSession(ctx)
      return { options: await createAssertionOptions({ ...markBrowser(ctx), purpose: 'confirm', member_id }, deps) }
    },

    async confirm({ response }, ctx) {
      const { member_id, session_id } = await requireSession(ctx)
      await verifyAssertion(response, { browser: readBrowser(ctx), purpose: 'confirm', member_id }, deps)
      const confirmedAt = now()
      await updateConfirmed(knex, session_id, confirmedAt)
      return { confirmed_until: toTimestamp(addSeconds(confirmedAt, limits.console_confirmation_seconds)) }
    },

    async signInAtProvider({ token, confirm, return_to }, ctx) {
      const invitation = token === undefined ? undefined : await requireInvitation(token, deps)
      const session = confirm ? await requireSession(ctx) : undefined
      if (session !== undefined && session.managed_by !== null) {
        const row = await findAccountProvider(knex, session.managed_by)
        if (row === undefined) throw new AdminFault('not_signed_in')
        const purpose = { return_to, session_id: session.session_id, test_id: null }
        return { location: await startAccountSignIn(ctx, row, purpose, deps) }
      }
      const pending = {
        return_to,
        invitation_id: invitation?.invitation_id ?? null,
        session_id: session?.session_id ?? null,
      }
      return { location: await startProviderSignIn(ctx, pending, deps) }
    },

    async openNoticeLink({ token }) {
      return readNoticeLink(token, deps)
    },

    async confirmNotices({ token }, ctx) {
      return acceptNoticeLink(token, getOrigin(ctx), deps)
    },

    async findSignIn({ email, return_to }, ctx) {
      const domain = readDomain(email)
      const row = domain === undefined ? undefined : await findProviderOfDomain(knex, domain)
      if (row === undefined) return { location: null }
      const purpose = { return_to, session_id: null, test_id: null, login_hint: email }
      return { location: await startAccountSignIn(ctx, row, purpose, deps) }
    },

    async testAccountProvider({ account }, ctx) {
      const { operator, roles, provider_accounts } = await requireSession(ctx)
      const isOwner = roles[account] === 'owner' && !provider_accounts.includes(account)
      const row = operator || isOwner ? await findAccountProvider(knex, account) : undefined
      if (row === undefined) throw new AdminFault('not_found')
      const testId = randomUUID()
      const returnTo = `/accounts/${account}/sign-in?test=${testId}`
      const purpose = { return_to: returnTo, session_id: null, test_id: testId }
      return { location: await startAccountSignIn(ctx, row, purpose, deps) }
    },

    async signOut(_, ctx) {
      const token = readSessionToken(ctx, deps)
      if (token !== undefined) await deleteSessionOfToken(knex, token)
      clearSessionCookie(ctx, deps)
      return {}
    },
  }
}

/** Members that the provider of an account manages have no passkeys and no roles elsewhere, so that it vouches for its account only. */
function requireUnmanaged(session: MemberSession): MemberSession {
  const { managed_by: account } = session
  if (account === null) return session
  throw new AdminFault('not_allowed', { reason: createReason('managed_member', { account }) })
}

/** Adding a passkey requires a recent confirmation, except on a development machine for members without a passkey. */
async function requireConfirmed(session: MemberSession, { now, isDevelopment }: Deps): Promise<MemberSession> {
  const until = addSeconds(session.confirmed_at, limits.console_confirmation_seconds)
  if (now() < until || (isDevelopment && session.passkeys === 0)) return session
  throw new AdminFault('passkey_required')
}
