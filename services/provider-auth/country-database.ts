import { readFileSync, statSync } from 'node:fs'
import { type CountryResponse, Reader } from 'mmdb-lib'
import { ConfigError, type Logger, repeatInBackground } from '#runtime'

/** Finds the country of an IP address. */
export interface CountryDatabase extends Disposable {
  /** ISO 3166-1 alpha-2; null if it is unknown. */
  readonly findCountry: (address: string | undefined) => string | null
}

/** Databases are replaced weekly or monthly. Our choice. */
const defaultIntervalMs = 60_000

/**
 * Opens a database of countries in the MMDB format, as MaxMind and DB-IP publish it. It is in memory, and is read again within
 * a minute after the file changed. If that fails, the earlier database remains.
 *
 * @param path undefined: no country is known
 * @throws ConfigError if the file cannot be read
 */
export function openCountryDatabase(
  path: string | undefined,
  { logger, intervalMs = defaultIntervalMs }: { readonly logger: Logger; readonly intervalMs?: number },
): CountryDatabase {
  if (path === undefined) return { findCountry: () => null, [Symbol.dispose]: () => {} }
  let current = openInitially(path)
  const update = async () => {
    if (modificationTimeOf(path) !== current.modifiedAtMs) current = open(path)
  }
  const repetition = repeatInBackground(update, {
    intervalMs,
    logger,
    failure: 'the changed COUNTRY_DATABASE cannot be read; the earlier one remains',
  })
  return {
    findCountry(address) {
      if (address === undefined) return null
      try {
        return findCode(current.reader, address)
      } catch (error) {
        // A damaged database must not affect logins.
        logger.warn({ error }, 'COUNTRY_DATABASE is damaged; the country of a login is unknown')
        return null
      }
    },
    [Symbol.dispose]: () => repetition[Symbol.dispose](),
  }
}

interface OpenDatabase {
  readonly reader: Reader<CountryResponse>
  readonly modifiedAtMs: number
}

function openInitially(path: string): OpenDatabase {
  try {
    return open(path)
  } catch (error) {
    throw new ConfigError([`COUNTRY_DATABASE cannot be read: ${error instanceof Error ? error.message : error}.`])
  }
}

function open(path: string): OpenDatabase {
  const modifiedAtMs = modificationTimeOf(path)
  return { reader: new Reader<CountryResponse>(readFileSync(path)), modifiedAtMs }
}

function modificationTimeOf(path: string): number {
  return statSync(path).mtimeMs
}

/** The country of an address. Databases can have other contents, for example a name, or IPv4 addresses only. */
function findCode(reader: Reader<CountryResponse>, address: string): string | null {
  if (reader.metadata.ipVersion === 4 && address.includes(':')) return null
  const code: unknown = reader.get(address)?.country?.iso_code
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null
}
