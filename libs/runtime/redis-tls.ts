import { readFileSync } from 'node:fs'

/** Trusted CA certificates for Redis and, if Redis requires it, the process's client certificate. */
export interface RedisFiles {
  readonly REDIS_CA_FILE?: string | undefined
  readonly REDIS_CERT_FILE?: string | undefined
  readonly REDIS_KEY_FILE?: string | undefined
}

/** TLS options for Redis beyond `rediss://`. The files are read again for each connection. */
export function redisTls({ REDIS_CA_FILE, REDIS_CERT_FILE, REDIS_KEY_FILE }: RedisFiles): object {
  const files = { ca: REDIS_CA_FILE, cert: REDIS_CERT_FILE, key: REDIS_KEY_FILE }
  const given = Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (given.length === 0) return {}
  const tls = {}
  // The client reads its options at each connection.
  for (const [name, file] of given)
    Object.defineProperty(tls, name, { enumerable: true, get: () => readFileSync(file) })
  return { tls }
}
