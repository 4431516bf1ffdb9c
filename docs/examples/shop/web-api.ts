import type { Config } from './config.ts'

/** The parts of Web API responses that the shop reads; the rest is displayed unchanged. */
export interface UserAttribute {
  readonly user: { readonly identifier: string; readonly login_count: number; readonly last_logged_in_at: string }
  readonly providers: Readonly<Record<string, object>>
}
export interface UserProfile {
  readonly profile: { readonly full_name?: string | null; readonly user_name?: string | null }
}

/** The user does not exist. */
export class NoSuchUser extends Error {}

const timeoutMs = 5_000

/**
 * Reads a user by the identifier that is `sub` in the ID Token. Sends both requests at the same time.
 *
 * @throws NoSuchUser
 */
export async function readUser(
  config: Config,
  identifier: string,
): Promise<{ attribute: UserAttribute; profile: UserProfile }> {
  const [attribute, profile] = await Promise.all([
    readFromWebApi<UserAttribute>(config, 'user_attribute', identifier),
    readFromWebApi<UserProfile>(config, 'profile', identifier),
  ])
  return { attribute, profile }
}

/** The API key stays on this server. It is sent in a header, so that access logs do not contain it. */
async function readFromWebApi<T>(config: Config, operation: string, identifier: string): Promise<T> {
  const query = new URLSearchParams({ identifier })
  const response = await fetch(`${config.webApiUrl}/api/${operation}?${query}`, {
    headers: { authorization: `Bearer ${config.api_key}` },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status === 404) throw new NoSuchUser()
  if (!response.ok) throw new Error(`The Web API rejected ${operation}: ${await reasonOf(response)}`)
  // The shapes are those of the Web API's documentation.
  return (await response.json()) as T
}

/** Code and message of a failed response, or its HTTP status if it has no envelope. */
async function reasonOf(response: Response): Promise<string> {
  try {
    // Any other shape throws and is handled in the catch.
    const { error } = (await response.json()) as { error: { code: number; message: string } }
    return `code ${error.code}, ${error.message}`
  } catch {
    return `status ${response.status}`
  }
}

/** A copy for display, with only the first characters of every token and secret. */
export function masked(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return /(token|secret)$/.test(name) ? `${value.slice(0, 6)}…` : value
  if (Array.isArray(value)) return value.map((item) => masked(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, key)]))
}
