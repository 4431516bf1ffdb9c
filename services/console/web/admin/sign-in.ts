import { signInRoutes } from 'virtual:contract'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { z } from 'zod'
import type { SignInRoutes } from '#admin-api'
import { sendRequest } from './call.ts'
import { Cancelled } from './fault.ts'

type Name = keyof SignInRoutes
export type SignInResponse<N extends Name> = z.output<SignInRoutes[N]['output']>

/** Calls a route of the sign-in. */
export function requestSignIn<N extends Name>(name: N, input: unknown): Promise<SignInResponse<N>> {
  return sendRequest(signInRoutes[name], { method: 'POST', body: JSON.stringify(input) })
}

/** Signs in with a discoverable passkey. */
export async function signIn(): Promise<void> {
  const { options } = await requestSignIn('signInOptions', {})
  await requestSignIn('signIn', {
    response: await translateCancellation(startAuthentication({ optionsJSON: toBrowserOptions(options) })),
  })
}

/** Reads whether the browser has a session, and the host name of the operator's own OpenID provider; null: not configured. */
export function readSignInState(): Promise<Pick<SignInResponse<'signInOptions'>, 'provider' | 'signed_in'>> {
  return requestSignIn('signInOptions', {})
}

/** The path of the page, to return to after sign-in; `/` for one that the service does not accept, as `//` would lead to another host. */
export function getReturnPath(): string {
  const path = location.pathname + location.search
  return /^\/(?![/\\])/.test(path) && path.length <= 2_048 ? path : '/'
}

/** Redirects to the operator's own OpenID provider, which redirects back to `return_to`. */
export async function signInAtProvider(how: { token?: string; confirm?: boolean; return_to: string }): Promise<void> {
  const { location: providerUrl } = await requestSignIn('signInAtProvider', how)
  location.assign(providerUrl)
}

/** Finds the OpenID Provider of an e-mail address and redirects to it. @returns false if there is none */
export async function signInByEmail(input: { email: string; return_to: string }): Promise<boolean> {
  const { location: providerUrl } = await requestSignIn('findSignIn', input)
  if (providerUrl === null) return false
  location.assign(providerUrl)
  return true
}

/** Redirects to the OpenID Provider of an account, which redirects back with the result of the test. */
export async function testAccountProvider(account: string): Promise<void> {
  const { location: providerUrl } = await requestSignIn('testAccountProvider', { account })
  location.assign(providerUrl)
}

/** Reads a link. On a development machine, it can sign in immediately. */
export const openLink = (token: string) => requestSignIn('openLink', { token })

/** Accepts the role of a link as the signed-in member. */
export const join = (token: string) => requestSignIn('join', { token })

/** Adds a passkey, with a link (which also signs in) or for the signed-in member. */
export async function addPasskey(input: { token?: string; name: string }): Promise<void> {
  const { options } = await requestSignIn('passkeyOptions', input.token === undefined ? {} : { token: input.token })
  const response = await translateCancellation(startRegistration({ optionsJSON: toBrowserOptions(options) }))
  await requestSignIn('addPasskey', { ...input, response })
}

/** Confirms with a passkey, so that sensitive changes are allowed for some minutes. */
export async function confirmWithPasskey(): Promise<void> {
  const { options } = await requestSignIn('confirmOptions', {})
  await requestSignIn('confirm', {
    response: await translateCancellation(startAuthentication({ optionsJSON: toBrowserOptions(options) })),
  })
}

export const signOut = () => requestSignIn('signOut', {})

/** The server library created the options; JSON only lost their nominal types. */
function toBrowserOptions<T>(options: unknown): T {
  return options as T
}

/** Converts the error of a closed browser dialog to `Cancelled`. */
async function translateCancellation<T>(dialog: Promise<T>): Promise<T> {
  try {
    return await dialog
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')) {
      throw new Cancelled()
    }
    throw error
  }
}
