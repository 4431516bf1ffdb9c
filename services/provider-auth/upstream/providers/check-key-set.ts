import { z } from 'zod'
import type { OidcProtocol } from '#contracts'
import { parseJson } from '#http'
import { classifyRequestError } from '#http-client'
import type { FetchFromProvider } from '../http-client/fetch.ts'

type Alg = OidcProtocol['idToken']['alg']

/** Members of a JWK (RFC 7517 4) that say what a key is for. */
const KeySet = z.object({
  keys: z.array(z.object({ kty: z.string(), use: z.string().optional(), alg: z.string().optional() })),
})

/** Says why no signature of an algorithm can be verified with a key set; undefined if one can. */
export async function findKeySetProblem(
  address: string,
  alg: Exclude<Alg, 'HS256'>,
  fetch: FetchFromProvider,
): Promise<string | undefined> {
  let response: Response
  try {
    response = await fetch(address, { method: 'GET', headers: { accept: 'application/json' } })
  } catch (error) {
    return `has no key set: ${address} could not be read (${classifyRequestError(error)})`
  }
  if (response.status !== 200) return `has no key set: ${address} returned ${response.status}`
  const parsed = KeySet.safeParse(parseJson(await response.text()))
  if (!parsed.success) return `has no key set: what ${address} returned is none`
  const usable = parsed.data.keys.some(
    (key) => key.kty === toKeyType(alg) && (key.use ?? 'sig') === 'sig' && (key.alg ?? alg) === alg,
  )
  return usable ? undefined : `has no key for ${alg}`
}

function toKeyType(alg: string): string {
  if (alg === 'EdDSA') return 'OKP'
  return alg.startsWith('ES') ? 'EC' : 'RSA'
}
