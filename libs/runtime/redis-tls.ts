import { readFileSync } from 'node:fs'

/** Files that say whom a process trusts as Redis and, where Redis asks for it, who the process is. */
export interface RedisFiles {
  readonly REDIS_CA_FILE?: string | undefined
  readonly REDIS_CERT_FILE?: string | undefined
  readonly REDIS_KEY_FILE?: string | undefined
}

/** TLS of connections to Redis beyond what `rediss://` says; the files are read at every connection anew. */
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
