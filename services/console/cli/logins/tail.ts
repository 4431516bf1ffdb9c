import type { z } from 'zod'
import { type LoginLogEntry, LoginResult } from '#admin-api'
import { Identifier, LoginReason, Provider } from '#contracts'
import { createApi } from '../api.ts'
import { type ConnectionOptions, resolveConnection } from '../connection.ts'
import { followPages, parseFollowLimit, parseOption } from '../follow-pages.ts'
import { parseFormat } from '../format.ts'
import type { Io } from '../io.ts'
import { formatCell } from '../table.ts'

/** Options, parsed by commander. */
export interface TailOptions extends ConnectionOptions, Readonly<Record<string, unknown>> {
  readonly account: string
  readonly siteId: string
  readonly provider?: string
  readonly clientId?: string
  readonly result?: string
  readonly reason?: string
  readonly identifier?: string
  readonly fromStart?: boolean
  readonly limit?: string
}

type Login = z.output<typeof LoginLogEntry>

/** Our choice. */
const pageSize = 100

/** Prints logins as they end. A login whose code cannot be exchanged is printed again, because its result has changed. */
export async function tailLogins(options: TailOptions, io: Io): Promise<void> {
  const isJson = parseFormat(options) === 'json'
  const matches = createMatcher(options)
  const limit = parseFollowLimit(options.limit)
  const site = { account: options.account, site_id: options.siteId }
  const api = createApi(await resolveConnection(options, io))
  const read = async (after: string | undefined) => {
    const place = after === undefined ? {} : { after }
    const { logins, ...page } = await api.call('listEndedLogins', { ...site, limit: pageSize, ...place })
    return { ...page, entries: logins.filter(matches) }
  }
  for await (const login of followPages(read, { after: options.fromStart ? undefined : 'newest', limit }, io))
    io.print(isJson ? `${JSON.stringify(login)}\n` : `${formatLogin(login)}\n`)
}

/** Whether a login has the fields of the options. @throws CliError `usage` for a value that no login can have */
function createMatcher({ provider, clientId, result, reason, identifier }: TailOptions): (login: Login) => boolean {
  const parse = <T>(name: string, schema: z.ZodType<T>, text: string | undefined) =>
    text === undefined ? undefined : parseOption(name, schema, text)
  const expected = {
    provider: parse('provider', Provider, provider),
    client_id: clientId,
    result: parse('result', LoginResult, result),
    reason: parse('reason', LoginReason, reason),
    identifier: parse('identifier', Identifier, identifier),
  }
  const names = ['provider', 'client_id', 'result', 'reason', 'identifier'] as const
  return (login) => names.every((name) => expected[name] === undefined || expected[name] === login[name])
}

function formatLogin({ at, result, reason, provider, identifier, error, login_id }: Login): string {
  const cells = [result.padEnd(9), reason, provider, identifier ?? error, login_id]
  return [at, ...cells.map(formatCell)].join('  ')
}
