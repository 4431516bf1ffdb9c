import { readFile } from 'node:fs/promises'
import { Failure } from './failure.ts'
import type { Io } from './io.ts'

export interface Connection {
  /** The console's address, ending in `/`. */
  readonly url: URL
  readonly token: string
}

export interface ConnectionOptions {
  readonly url?: string
  readonly tokenFile?: string
  readonly allowHttp?: boolean
}

/** The console and the token that options and environment name. */
export async function connectionOf(options: ConnectionOptions, { environment }: Io): Promise<Connection> {
  const url = urlOf(options.url ?? environment.SOCIAL_LOGIN_URL, options.allowHttp === true)
  const token = (options.tokenFile ? await tokenIn(options.tokenFile) : (environment.SOCIAL_LOGIN_TOKEN ?? '')).trim()
  if (token === '')
    throw new Failure(
      'not_allowed',
      'No token. Put one into SOCIAL_LOGIN_TOKEN, or name a file that has it with --token-file. Tokens are issued in the console, or by "social-login tokens issue".',
    )
  if (!/^[\x21-\x7e]+$/.test(token)) throw new Failure('not_allowed', 'The token has characters that no token has.')
  return { url, token }
}

function urlOf(written: string | undefined, allow_http: boolean): URL {
  if (!written) throw new Failure('usage', 'Where is the console? Give its address with --url or SOCIAL_LOGIN_URL.')
  const url = URL.parse(written.endsWith('/') ? written : `${written}/`)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Failure('usage', `${written} is not an address that begins with https://. See --url or SOCIAL_LOGIN_URL.`)
  const here = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url.protocol === 'http:' && !here && !allow_http)
    throw new Failure(
      'usage',
      `${written} would send the token unencrypted. Use https://, or --allow-http within a network you trust.`,
    )
  return url
}

async function tokenIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Failure('usage', `--token-file ${file} cannot be read (${codeOf(error)}).`, { cause: error })
  }
}

/** What the operating system calls the error, e.g. `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
