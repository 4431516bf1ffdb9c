import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server'
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers'
import { createReason, type NewPasskey, type PasskeyAssertion } from '#admin-api'
import { limits } from '#contracts'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { insertChallenge, type Purpose, takeChallenge } from '../store/challenges.ts'
import { findPasskey, listPasskeys, type StoredPasskey, updateCounter } from '../store/passkeys.ts'

/** Dependencies of the WebAuthn ceremonies (Level 3, 7). Passkeys are bound to the console's host name and origin. */
type Base = Pick<Deps, 'knex' | 'now' | 'consoleUrl'>

/** The random value of a browser's cookie, which binds a challenge to the browser. */
export interface SignInBinding {
  readonly browser: string
}

/** The browser and the source of the request. */
export interface BrowserRequest extends SignInBinding {
  readonly source: string
}

/** EdDSA, ES256, RS256 (RFC 9053, RFC 8812): the algorithms that authenticators support. */
const supportedAlgorithmIDs = [-8, -7, -257]

const timeout = limits.console_challenge_seconds * 1_000

/** Creates the options for an authentication with any passkey, or with those of one member. */
export async function createAssertionOptions(
  { browser, source, purpose, member_id }: BrowserRequest & { purpose: Exclude<Purpose, 'add'>; member_id?: string },
  base: Base,
) {
  const { rpID } = getRelyingParty(base)
  const own = member_id === undefined ? undefined : await listPasskeys(base.knex, member_id)
  const allowed = own === undefined ? {} : { allowCredentials: own.map(toDescriptor) }
  const { challenge } = await generateAuthenticationOptions({ rpID, timeout, userVerification: 'required', ...allowed })
  const ofMember = member_id === undefined ? {} : { member_id }
  await insertChallenge(base.knex, { browser, source, purpose, challenge, ...ofMember }, base.now())
  return { challenge, timeout, rpId: rpID, userVerification: 'required' as const, ...allowed }
}

/**
 * Verifies the signature of a passkey. The challenge is deleted first, so that it works only once.
 *
 * @throws AdminFault `not_signed_in` with a reason
 */
export async function verifyAssertion(
  response: PasskeyAssertion,
  { browser, purpose, member_id }: SignInBinding & { purpose: Exclude<Purpose, 'add'>; member_id?: string },
  base: Base,
): Promise<StoredPasskey> {
  const { knex, now } = base
  const challenge = readChallenge(response)
  const taken = await takeChallenge(knex, { browser, purpose, challenge }, now())
  if (taken === undefined || taken.member_id !== (member_id ?? null)) throw challengeExpired()
  const passkey = await findPasskey(knex, response.id)
  if (passkey === undefined || (member_id !== undefined && passkey.member_id !== member_id)) {
    throw new AdminFault('not_signed_in', { reason: createReason('passkey_unknown') })
  }
  const { rpID, origin } = getRelyingParty(base)
  const { counter } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: toCredential(passkey),
  }).then(
    ({ verified, authenticationInfo }) => {
      if (!verified) throw passkeyRejected()
      return { counter: authenticationInfo.newCounter }
    },
    (cause: unknown) => {
      throw passkeyRejected(cause)
    },
  )
  if (!(await updateCounter(knex, { passkey_id: passkey.passkey_id, counter, now: now() }))) throw passkeyRejected()
  return passkey
}

interface ForMember {
  readonly member_id: string
  readonly name: string
  readonly invitation_id?: string
}

/** Creates the options for a new discoverable passkey. */
export async function createRegistrationOptions(
  { browser, source, member_id, name, invitation_id }: BrowserRequest & ForMember,
  base: Base,
) {
  const present = await listPasskeys(base.knex, member_id)
  const options = await generateRegistrationOptions({
    rpName: 'Social login console',
    rpID: getRelyingParty(base).rpID,
    userName: name,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(member_id.replaceAll('-', ''), 'hex')),
    timeout,
    attestationType: 'none',
    excludeCredentials: present.map(toDescriptor),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const { challenge } = options
  const byLink = invitation_id === undefined ? {} : { invitation_id }
  await insertChallenge(base.knex, { browser, source, purpose: 'add', challenge, member_id, ...byLink }, base.now())
  return options
}

/** A new passkey, and its member and invitation. */
export interface RegisteredPasskey {
  readonly member_id: string
  readonly invitation_id: string | null
  readonly credential: WebAuthnCredential
}

/** @throws AdminFault `not_signed_in` with a reason */
export async function verifyRegistration(
  response: NewPasskey,
  { browser }: SignInBinding,
  base: Base,
): Promise<RegisteredPasskey> {
  const challenge = readChallenge(response)
  const taken = await takeChallenge(base.knex, { browser, purpose: 'add', challenge }, base.now())
  if (taken === undefined || taken.member_id === null) throw challengeExpired()
  const { transports = [], ...made } = response.response
  const { rpID, origin } = getRelyingParty(base)
  const verified = await verifyRegistrationResponse({
    response: { ...response, response: { ...made, transports } },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs,
  }).catch((cause: unknown) => {
    throw passkeyRejected(cause)
  })
  if (!verified.verified) throw passkeyRejected()
  const { member_id, invitation_id } = taken
  return { member_id, invitation_id, credential: verified.registrationInfo.credential }
}

function getRelyingParty({ consoleUrl }: Base): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(consoleUrl)
  return { rpID: hostname, origin }
}

function readChallenge({ response }: { response: { clientDataJSON: string } }): string {
  try {
    return decodeClientDataJSON(response.clientDataJSON).challenge
  } catch (cause) {
    throw passkeyRejected(cause)
  }
}

function toDescriptor({ passkey_id, transports }: StoredPasskey) {
  return { type: 'public-key' as const, id: passkey_id, transports }
}

function toCredential({ passkey_id, public_key, counter, transports }: StoredPasskey): WebAuthnCredential {
  return { id: passkey_id, publicKey: new Uint8Array(public_key), counter, transports }
}

function challengeExpired(): AdminFault {
  return new AdminFault('not_signed_in', { reason: createReason('passkey_timeout') })
}

function passkeyRejected(cause?: unknown): AdminFault {
  return new AdminFault('not_signed_in', { reason: createReason('passkey_rejected'), cause })
}
