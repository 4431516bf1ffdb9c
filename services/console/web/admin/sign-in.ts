import { signInRoutes } from 'virtual:contract'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { z } from 'zod'
import type { SignInRoutes } from '#admin-api'
import { send } from './call.ts'
import { Cancelled } from './fault.ts'

type Name = keyof SignInRoutes
export type SignInResponse<N extends Name> = z.output<SignInRoutes[N]['output']>

function request<N extends Name>(name: N, input: unknown): Promise<SignInResponse<N>> {
  return send(signInRoutes[name].path, { method: 'POST', body: JSON.stringify(input) })
}

/** Signs in with a passkey; whose it is, the browser tells. */
export async function signIn(): Promise<void> {
  const { options } = await request('signInOptions', {})
  await request('signIn', {
    response: await translateCancellation(startAuthentication({ optionsJSON: toBrowserOptions(options) })),
  })
}

/** Host name of the operator's own OpenID provider, where one can sign in instead; null: there is none. */
export async function readSignInProvider(): Promise<string | null> {
  return (await request('signInOptions', {})).provider
}

/** Leaves for the operator's own OpenID provider; the browser comes back to `return_to`. */
export async function signInAtProvider(how: { token?: string; confirm?: boolean; return_to: string }): Promise<void> {
  const { location: providerUrl } = await request('signInAtProvider', how)
  location.assign(providerUrl)
}

/** Looks at a link; on a development machine it may have signed in at once. */
export const openLink = (token: string) => request('openLink', { token })

/** Takes the role that a link offers, as whoever is signed in. */
export const join = (token: string) => request('join', { token })

/** Makes a passkey: by a link, which signs in, or for the member who is signed in. */
export async function addPasskey(input: { token?: string; name: string }): Promise<void> {
  const { options } = await request('passkeyOptions', input.token === undefined ? {} : { token: input.token })
  const response = await translateCancellation(startRegistration({ optionsJSON: toBrowserOptions(options) }))
  await request('addPasskey', { ...input, response })
}

/** Has the member who is signed in show the passkey again, so that sensitive acts are allowed for some minutes. */
export async function confirm(): Promise<void> {
  const { options } = await request('confirmOptions', {})
  await request('confirm', {
    response: await translateCancellation(startAuthentication({ optionsJSON: toBrowserOptions(options) })),
  })
}

export const signOut = () => request('signOut', {})

/** The service gives options as the library for servers made them; that they are told as data loses their nominal types. */
function toBrowserOptions<T>(options: unknown): T {
  return options as T
}

/** A person who closes the browser's dialog has said no; that is no failure. */
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
