import { readJsonLines } from './json-lines.ts'
import { type ConvertUser, ImportFileError, type NumberedRecord, type ProviderMap } from './record.ts'

/** The formats of files, and how each is read. Each converter is loaded when it is needed. */
const formats = {
  ndjson: async (content: AsyncIterable<string>) => readJsonLines(content),
  csv: async (content: AsyncIterable<string>) => (await import('./convert/csv.ts')).readCsv(content),
  auth0: async (content: AsyncIterable<string>, providers: ProviderMap) =>
    convertEach(readJsonLines(content), (await import('./convert/auth0.ts')).convertAuth0User, providers),
  cognito: async (content: AsyncIterable<string>, providers: ProviderMap) => {
    const { convertCognitoUser } = await import('./convert/cognito.ts')
    const { readJsonItems } = await import('./json-items.ts')
    return convertEach(readJsonItems(content, 'Users'), convertCognitoUser, providers)
  },
  firebase: async (content: AsyncIterable<string>, providers: ProviderMap) => {
    const { convertFirebaseUser } = await import('./convert/firebase.ts')
    const { readJsonItems } = await import('./json-items.ts')
    return convertEach(readJsonItems(content, 'users'), convertFirebaseUser, providers)
  },
  keycloak: async (content: AsyncIterable<string>, providers: ProviderMap) => {
    const { convertKeycloakUser } = await import('./convert/keycloak.ts')
    const { readJsonItems } = await import('./json-items.ts')
    return convertEach(readJsonItems(content, 'users'), convertKeycloakUser, providers)
  },
  sap: async (content: AsyncIterable<string>, providers: ProviderMap) => {
    const { convertSapUser } = await import('./convert/sap.ts')
    const { readJsonItems } = await import('./json-items.ts')
    return convertEach(readJsonItems(content, 'results'), convertSapUser, providers)
  },
} as const satisfies Record<
  string,
  (content: AsyncIterable<string>, providers: ProviderMap) => Promise<AsyncIterable<NumberedRecord>>
>

export const formatNames = Object.keys(formats)

/**
 * Reads the records of a file.
 *
 * @param provider pairs `name=provider`, for names of login providers that a converter does not know
 */
export async function* readRecords(
  content: AsyncIterable<string>,
  { format, provider = [] }: { readonly format: string; readonly provider?: readonly string[] },
): AsyncGenerator<NumberedRecord> {
  const read = Object.entries(formats).find(([name]) => name === format)?.[1]
  if (read === undefined) throw new ImportFileError(`--format: choose one of ${formatNames.join(', ')}.`)
  yield* await read(content, parseProviders(provider))
}

function parseProviders(pairs: readonly string[]): ProviderMap {
  return new Map(
    pairs.map((pair): [string, string] => {
      const [name, provider, ...rest] = pair.split('=')
      if (!name || !provider || rest.length > 0)
        throw new ImportFileError(`--provider ${pair}: write <name in the file>=<provider>.`)
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
