import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server'
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers'
import { because, type NewPasskey, type PasskeyAssertion } from '#admin-api'
import { limits } from '#contracts'
import type { Deps } from '../deps.ts'
import { AdminFault } from '../handlers/admin-fault.ts'
import { insertChallenge, type Purpose, takeChallenge } from '../store/challenges.ts'
import { findPasskey, listPasskeys, type StoredPasskey, updateCounter } from '../store/passkeys.ts'

/** What a ceremony needs (Web Authentication Level 3, 7): passkeys belong to the console's host name and origin alone. */
type Base = Pick<Deps, 'knex' | 'now' | 'console_url'>

/** A browser's own part in a ceremony: a random value of its cookie. */
export interface InBrowser {
  readonly browser: string
}

/** As `InBrowser`, with the source of the request. */
export interface FromBrowser extends InBrowser {
  readonly source: string
}

/** EdDSA, ES256, RS256 (RFC 9053, RFC 8812): what authenticators have. */
const supportedAlgorithmIDs = [-8, -7, -257]

const timeout = limits.console_challenge_seconds * 1_000

/** Has the browser ask for a passkey: any of the console's, or of one member. */
export async function askForPasskey(
  { browser, source, purpose, member_id }: FromBrowser & { purpose: Exclude<Purpose, 'add'>; member_id?: string },
  base: Base,
) {
  const { rpID } = partyOf(base)
  const own = member_id === undefined ? undefined : await listPasskeys(base.knex, member_id)
  const allowed = own === undefined ? {} : { allowCredentials: own.map(descriptor) }
  const { challenge } = await generateAuthenticationOptions({ rpID, timeout, userVerification: 'required', ...allowed })
  const ofMember = member_id === undefined ? {} : { member_id }
  await insertChallenge(base.knex, { browser, source, purpose, challenge, ...ofMember }, base.now())
  return { challenge, timeout, rpId: rpID, userVerification: 'required' as const, ...allowed }
}

/**
 * Verifies what a passkey signed, once: the challenge is used up first.
 *
 * @throws AdminFault `not_signed_in`, saying what to do
 */
export async function verifyPasskey(
  response: PasskeyAssertion,
  { browser, purpose, member_id }: InBrowser & { purpose: Exclude<Purpose, 'add'>; member_id?: string },
  base: Base,
): Promise<StoredPasskey> {
  const { knex, now } = base
  const challenge = challengeIn(response)
  const taken = await takeChallenge(knex, { browser, purpose, challenge }, now())
  if (taken === undefined || taken.member_id !== (member_id ?? null)) throw outdated()
  const passkey = await findPasskey(knex, response.id)
  if (passkey === undefined || (member_id !== undefined && passkey.member_id !== member_id)) {
    throw new AdminFault('not_signed_in', { reason: because('passkey_unknown') })
  }
  const { rpID, origin } = partyOf(base)
  const { counter } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: credentialOf(passkey),
  }).then(
    ({ verified, authenticationInfo }) => {
      if (!verified) throw refused()
      return { counter: authenticationInfo.newCounter }
    },
    (cause: unknown) => {
      throw refused(cause)
    },
  )
  if (!(await updateCounter(knex, { passkey_id: passkey.passkey_id, counter, now: now() }))) throw refused()
  return passkey
}

interface ForMember {
  readonly member_id: string
  readonly name: string
  readonly invitation_id?: string
}

/** Has the browser make a passkey that finds its member by itself. */
export async function askForNewPasskey(
  { browser, source, member_id, name, invitation_id }: FromBrowser & ForMember,
  base: Base,
) {
  const present = await listPasskeys(base.knex, member_id)
  const options = await generateRegistrationOptions({
    rpName: 'Social login console',
    rpID: partyOf(base).rpID,
    userName: name,
    userDisplayName: name,
    userID: new Uint8Array(Buffer.from(member_id.replaceAll('-', ''), 'hex')),
    timeout,
    attestationType: 'none',
    excludeCredentials: present.map(descriptor),
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const { challenge } = options
  const byLink = invitation_id === undefined ? {} : { invitation_id }
  await insertChallenge(base.knex, { browser, source, purpose: 'add', challenge, member_id, ...byLink }, base.now())
  return options
}

/** A passkey that was just made, and what it was asked for. */
export interface MadePasskey {
  readonly member_id: string
  readonly invitation_id: string | null
  readonly credential: WebAuthnCredential
}

/** @throws AdminFault `not_signed_in`, saying what to do */
export async function verifyNewPasskey(response: NewPasskey, { browser }: InBrowser, base: Base): Promise<MadePasskey> {
  const challenge = challengeIn(response)
  const taken = await takeChallenge(base.knex, { browser, purpose: 'add', challenge }, base.now())
  if (taken === undefined || taken.member_id === null) throw outdated()
  const { transports = [], ...made } = response.response
  const { rpID, origin } = partyOf(base)
  const verified = await verifyRegistrationResponse({
    response: { ...response, response: { ...made, transports } },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    supportedAlgorithmIDs,
  }).catch((cause: unknown) => {
    throw refused(cause)
  })
  if (!verified.verified) throw refused()
  const { member_id, invitation_id } = taken
  return { member_id, invitation_id, credential: verified.registrationInfo.credential }
}

function partyOf({ console_url }: Base): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(console_url)
  return { rpID: hostname, origin }
}

function challengeIn({ response }: { response: { clientDataJSON: string } }): string {
  try {
    return decodeClientDataJSON(response.clientDataJSON).challenge
  } catch (cause) {
    throw refused(cause)
  }
}

function descriptor({ passkey_id, transports }: StoredPasskey) {
  return { type: 'public-key' as const, id: passkey_id, transports }
}

function credentialOf({ passkey_id, public_key, counter, transports }: StoredPasskey): WebAuthnCredential {
  return { id: passkey_id, publicKey: new Uint8Array(public_key), counter, transports }
}

function outdated(): AdminFault {
  return new AdminFault('not_signed_in', { reason: because('passkey_late') })
}

function refused(cause?: unknown): AdminFault {
  return new AdminFault('not_signed_in', { reason: because('passkey_refused'), cause })
}
