import { readFile } from 'node:fs/promises'
import { CliError } from './cli-error.ts'
import { getErrorCode } from './error-code.ts'
import type { Io } from './io.ts'
import { type ConnectionProfile, readProfiles } from './profiles.ts'

export interface ConsoleConnection {
  /** The console's address, with a trailing `/`. */
  readonly url: URL
  readonly token: string
}

export interface ConnectionOptions {
  readonly url?: string
  readonly tokenFile?: string
  readonly allowHttp?: boolean
  readonly profile?: string
}

/**
 * The console and the token, in this order: options, the profile that `--profile` names, the environment, the profile of
 * `SOCIAL_LOGIN_PROFILE` or of the last login. The token and `allow_http` of a profile apply to its console only.
 */
export async function resolveConnection(options: ConnectionOptions, io: Io): Promise<ConsoleConnection> {
  const environment: Io['environment'] = options.profile === undefined ? io.environment : {}
  const stored = await findProfile(options, io)
  const written = options.url ?? environment.SOCIAL_LOGIN_URL ?? stored?.url
  const profile = stored && parseUrl(stored.url, true).href === parseUrl(written, true).href ? stored : undefined
  const url = parseUrl(written, options.allowHttp === true || profile?.allow_http === true)
  const token = (
    options.tokenFile
      ? await readTokenFile(options.tokenFile)
      : (environment.SOCIAL_LOGIN_TOKEN ?? profile?.token ?? '')
  ).trim()
  if (token === '')
    throw new CliError(
      'not_allowed',
      'No token. Set SOCIAL_LOGIN_TOKEN, pass --token-file, or log in with "social-login login". Issue a token in the console or with "social-login tokens issue".',
    )
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new CliError('not_allowed', 'The token contains invalid characters. Tokens start with slt_.')
  return { url, token }
}

async function findProfile(
  { profile, url, tokenFile }: ConnectionOptions,
  io: Io,
): Promise<ConnectionProfile | undefined> {
  const { environment } = io
  const complete = (url ?? environment.SOCIAL_LOGIN_URL) && (tokenFile ?? environment.SOCIAL_LOGIN_TOKEN)
  if (profile === undefined && complete) return undefined
  const { current, profiles } = await readProfiles(io)
  const name = profile ?? environment.SOCIAL_LOGIN_PROFILE ?? current
  if (name === null) return undefined
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (found === undefined)
    throw new CliError(
      'usage',
      `Profile "${name}" not found. Stored profiles: ${Object.keys(profiles).join(', ') || 'none'}. To create it, run "social-login login --profile ${name}".`,
    )
  return found
}

export function parseUrl(written: string | undefined, allowHttp: boolean): URL {
  if (!written)
    throw new CliError(
      'usage',
      'The address of the console is missing. Set --url or SOCIAL_LOGIN_URL, or run "social-login login".',
    )
  const url = URL.parse(written.endsWith('/') ? written : `${written}/`)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CliError(
      'usage',
      `${written} is not a valid address. Set --url or SOCIAL_LOGIN_URL to an address that starts with https://.`,
    )
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !isLocal && !allowHttp)
    throw new CliError(
      'usage',
      `${written} would send the token unencrypted. Use https://, or --allow-http within a network you trust.`,
    )
  return url
}

export async function readTokenFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CliError('usage', `--token-file ${file} cannot be read (${getErrorCode(error)}).`, { cause: error })
  }
}
