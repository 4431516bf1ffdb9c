import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { UserRecord } from '#contracts'
import type { NumberedRecord } from '../../domain/import-batches.ts'
import { CliError } from '../cli-error.ts'
import { readJsonLines } from './lines.ts'

/** A record as it is sent; the console checks it. */
export type WrittenRecord = z.input<typeof UserRecord>

/** Converts one user of another system. @throws z.ZodError if the user has not the form of that system */
export type ConvertUser = (user: unknown, providers: ProviderMap) => WrittenRecord

/** Our provider of the names that another system gives to login providers. */
export type ProviderMap = ReadonlyMap<string, string>

/** The formats of files, and how each is read. Each converter is loaded when it is needed. */
const formats = {
  ndjson: async (content: Readable) => readJsonLines(content),
  csv: async (content: Readable) => (await import('./convert/csv.ts')).readCsv(content),
  auth0: async (content: Readable, providers: ProviderMap) =>
    convertEach(readJsonLines(content), (await import('./convert/auth0.ts')).convertAuth0User, providers),
  cognito: async (content: Readable, providers: ProviderMap) => {
    const { convertCognitoUser } = await import('./convert/cognito.ts')
    const { readJsonItems } = await import('./json-items.ts')
    return convertEach(readJsonItems(content, 'Users'), convertCognitoUser, providers)
  },
  firebase: async (content: Readable, providers: ProviderMap) => {
    const { convertFirebaseUser } = await import('./convert/firebase.ts')
    const { readJsonItems } = await import('./json-items.ts')
    return convertEach(readJsonItems(content, 'users'), convertFirebaseUser, providers)
  },
  keycloak: async (content: Readable, providers: ProviderMap) => {
    const { convertKeycloakUser } = await import('./convert/keycloak.ts')
    const { readJsonItems } = await import('./json-items.ts')
    return convertEach(readJsonItems(content, 'users'), convertKeycloakUser, providers)
  },
  sap: async (content: Readable, providers: ProviderMap) => {
    const { convertSapUser } = await import('./convert/sap.ts')
    const { readJsonItems } = await import('./json-items.ts')
    return convertEach(readJsonItems(content, 'results'), convertSapUser, providers)
  },
} as const satisfies Record<
  string,
  (content: Readable, providers: ProviderMap) => Promise<AsyncIterable<NumberedRecord>>
>

export const formatNames = Object.keys(formats)

/**
 * Reads the records of a file.
 *
 * @param provider pairs `name=provider`, for names of login providers that a converter does not know
 */
export async function* readRecords(
  content: Readable,
  { format, provider = [] }: { readonly format: string; readonly provider?: readonly string[] },
): AsyncGenerator<NumberedRecord> {
  const read = Object.entries(formats).find(([name]) => name === format)?.[1]
  if (read === undefined) throw new CliError('usage', `--format: choose one of ${formatNames.join(', ')}.`)
  yield* await read(content, parseProviders(provider))
}

function parseProviders(pairs: readonly string[]): ProviderMap {
  return new Map(
    pairs.map((pair): [string, string] => {
      const [name, provider, ...rest] = pair.split('=')
      if (!name || !provider || rest.length > 0)
        throw new CliError('usage', `--provider ${pair}: write <name in the file>=<provider>.`)
      return [name, provider]
    }),
  )
}

/** Converts each user. One that has not the form of its system is reported like a line that is not JSON. */
async function* convertEach(
  users: AsyncIterable<NumberedRecord>,
  convert: ConvertUser,
  providers: ProviderMap,
): AsyncGenerator<NumberedRecord> {
  for await (const { line, record } of users) yield { line, record: convertOne(record, convert, providers) }
}

function convertOne(user: unknown, convert: ConvertUser, providers: ProviderMap): unknown {
  try {
    return convert(user, providers)
  } catch (error) {
    if (error instanceof Error && error.name === 'ZodError') return ''
    throw error
  }
}
