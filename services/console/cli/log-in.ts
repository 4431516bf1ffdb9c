import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { createApi } from './api.ts'
import { CliError } from './cli-error.ts'
import { parseUrl, readTokenFile } from './connection.ts'
import { type Io, readStdin } from './io.ts'
import { printResponse } from './print.ts'
import { readProfiles, writeProfiles } from './profiles.ts'

/** Options, parsed by commander. */
type Options = Readonly<Record<string, unknown>>

/** Checks a token with its console and stores both. @throws CliError if the console rejects the token; nothing is stored then */
export async function logIn(options: Options, io: Io): Promise<void> {
  const { current, profiles } = await readProfiles(io)
  const name = getProfileName(options) ?? io.environment.SOCIAL_LOGIN_PROFILE ?? 'default'
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new CliError('usage', `--profile ${name}: must be letters, digits, dots, hyphens or underscores, at most 64.`)
  const written = typeof options.url === 'string' ? options.url : io.environment.SOCIAL_LOGIN_URL
  const allowHttp = options.allowHttp === true
  const url = parseUrl(written ?? profiles[name]?.url, allowHttp)
  const token = (await readToken(options, io)).trim()
  if (!/^[\x21-\x7e]+$/.test(token)) throw new CliError('not_allowed', 'The token is invalid: tokens start with slt_.')
  const { member } = await createApi({ url, token }).call('readMe', {})
  await writeProfiles(
    { current: name, profiles: { ...profiles, [name]: { url: url.href, token, allow_http: allowHttp } } },
    io,
  )
  io.print(
    `Logged in to ${url.origin} as ${member.name}. Profile ${name} ${current === name ? 'was updated' : 'is now the current profile'}.\n`,
  )
}

export async function logOut(options: Options, io: Io): Promise<void> {
  const { current, profiles } = await readProfiles(io)
  const name = getProfileName(options) ?? io.environment.SOCIAL_LOGIN_PROFILE ?? current
  if (name === null || !Object.hasOwn(profiles, name))
    throw new CliError('usage', 'Profile not found. "social-login profiles" lists the stored ones.')
  const { [name]: _, ...left } = profiles
  await writeProfiles({ current: current === name ? null : current, profiles: left }, io)
  io.print(
    `Profile ${name} was deleted. Its token stays valid until you revoke it with "social-login tokens revoke".\n`,
  )
}

export async function listProfiles(options: Options, io: Io): Promise<void> {
  const { current, profiles } = await readProfiles(io)
  const list = Object.entries(profiles).map(([profile, { url }]) => ({ profile, url, current: profile === current }))
  await printResponse({ profiles: list }, options, io)
}

function getProfileName({ profile }: Options): string | undefined {
  return typeof profile === 'string' ? profile : undefined
}

async function readToken({ tokenFile }: Options, io: Io): Promise<string> {
  if (tokenFile === '-') return readStdin(io)
  if (typeof tokenFile === 'string') return readTokenFile(tokenFile)
  if (io.environment.SOCIAL_LOGIN_TOKEN) return io.environment.SOCIAL_LOGIN_TOKEN
  if (!io.interactive)
    throw new CliError(
      'usage',
      'There is no terminal to enter the token. Pass it with --token-file <file>, or --token-file - for standard input.',
    )
  io.printError('Token (not shown): ')
  // The terminal must not echo the token.
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: io.stdin, output: muted, terminal: true })
  const { value: answer } = await lines[Symbol.asyncIterator]().next()
  lines.close()
  io.printError('\n')
  return String(answer ?? '')
}
