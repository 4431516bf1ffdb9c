import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { splitPostgresUrl } from './postgres-url.ts'
import { parseRedisUrl } from './redis-url.ts'
import { InvalidUrl } from './server-urls.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Invalid settings, one line each, for the operator who starts the service. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((complaint) => `  ${complaint}`).join('\n')}`)
    this.problems = problems
  }
}

/** Reads a service's settings. `settings` are the names of the environment variables. */
export interface ConfigReader<C> {
  (environment: Environment): C
  readonly settings: readonly string[]
}

/**
 * Creates a reader of a service's settings. Unknown variables are ignored; empty ones count as absent. The reader throws one
 * ConfigError with all problems. Messages never contain values, which can be secrets.
 */
export function configReader<const S extends z.ZodRawShape>(shape: S): ConfigReader<z.output<z.ZodObject<S>>> {
  const schema = z.object(shape)
  const fileSettings = Object.keys(shape).filter((name) => secretSettings.has(name))
  const read = (environment: Environment) => {
    const present = Object.fromEntries(
      Object.entries(readSecretFiles(environment, fileSettings)).filter(
        ([, value]) => value !== undefined && value !== '',
      ),
    )
    const result = schema.safeParse(present)
    if (result.success) return result.data
    throw new ConfigError(
      result.error.issues.map((issue) => {
        const name = issue.path.join('.')
        return present[name] === undefined ? `${name} is missing.` : `${name} is wrong: ${issue.message}`
      }),
    )
  }
  return Object.assign(read, { settings: [...Object.keys(shape), ...fileSettings.map(fileSettingName)] })
}

/** Settings with secrets, which can be in a file instead: `<name>_FILE` is its path. */
const secretSettings = new Set([
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'NATS_URL',
  'CURSOR_KEY',
  'OPERATOR_CLIENT_SECRET',
  'SMTP_URL',
])

function fileSettingName(name: string): string {
  return `${name}_FILE`
}

function readSecretFiles(environment: Environment, names: readonly string[]): Environment {
  const complaints: string[] = []
  const read = names.flatMap((name): [string, string][] => {
    const file = environment[fileSettingName(name)]
    if (!file) return []
    if (environment[name]) complaints.push(`${name} and ${fileSettingName(name)} are both set. Set only one of them.`)
    try {
      return [[name, readFileSync(file, 'utf8').trim()]]
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
      complaints.push(`${fileSettingName(name)} is wrong: the file cannot be read (${code}).`)
      return []
    }
  })
  if (complaints.length > 0) throw new ConfigError(complaints)
  return { ...environment, ...Object.fromEntries(read) }
}

const whole = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)

const natsServer = z.url({ protocol: /^(nats|tls)$/ })

/** A setting that a function parses, which throws InvalidUrl. */
function parsed<T>(parse: (text: string) => T) {
  return z.string().transform((text, context): T => {
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof InvalidUrl)) throw error
      context.addIssue({ code: 'custom', message: error.message })
      return z.NEVER
    }
  })
}

/** Schemas of settings that several services share. */
export const setting = {
  port: whole.pipe(z.int().max(65_535)),
  whole,
  /** Several servers are separated by commas. */
  postgres_url: parsed((text) => {
    splitPostgresUrl(text)
    return text
  }),
  redisUrl: parsed(parseRedisUrl),
  /** Several servers are separated by commas. */
  nats_url: z
    .string()
    .refine(
      (text) => text.split(',').every((url) => natsServer.safeParse(url).success),
      'must be nats:// or tls:// URLs',
    ),
  /** An absolute http(s) URL without query, fragment or trailing slash, to which paths are appended. */
  baseUrl: z.url({ protocol: /^https?$/ }).regex(/^[^?#]*[^?#/]$/, 'must end without a slash, query or fragment'),
  /** 0 to 1 */
  share: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number),
  yes: z.enum(['yes', 'no']).transform((word) => word === 'yes'),
  log_level: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Addresses and CIDR blocks, separated by commas. */
  addresses: z
    .string()
    .transform((text) => text.split(','))
    .pipe(
      z.array(
        z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'must be addresses or blocks, separated by commas'),
      ),
    ),
  /** Addresses of servers, each with a port or without, separated by commas. */
  servers: z
    .string()
    .regex(/^[\d.:a-f[\]]+(,[\d.:a-f[\]]+)*$/, 'must be IP addresses, separated by commas')
    .transform((text) => text.split(',')),
  /** `<token>:<name>[,…]` */
  pairs: z
    .string()
    .regex(/^[a-z_]+:[a-z0-9_]+(,[a-z_]+:[a-z0-9_]+)*$/, 'must be <token>:<name>, separated by commas')
    .transform((text) => Object.fromEntries(text.split(',').map((pair) => pair.split(':')))),
}

/** Whether the URL is potentially trustworthy: https, or a local address (Secure Contexts 3.1). */
export function isSecureAddress(address: string): boolean {
  return URL.parse(address)?.protocol === 'https:' || isLocalAddress(address)
}

export function isLocalAddress(address: string): boolean {
  return /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(URL.parse(address)?.hostname ?? '')
}

/** Settings of every process. `OPS_PORT` 0 uses any free port. After SIGTERM, the process serves for `DRAIN_SECONDS`. */
export const processSettings = {
  LOG_LEVEL: setting.log_level,
  /** The address that the ports listen on. Default: all interfaces. */
  HOST: z.union([z.ipv4(), z.ipv6(), z.hostname()], 'must be an IP address or a host name').optional(),
  OPS_PORT: setting.port.default(9_090),
  DRAIN_SECONDS: setting.whole.default(0),
  /** Base URL of an OTLP/HTTP collector. Without it, tracing is off. */
  OTEL_EXPORTER_OTLP_ENDPOINT: setting.baseUrl.optional(),
  /** The ratio of traces started here that are sampled, 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: setting.share.default(0.05),
}
export type ProcessConfig = z.output<z.ZodObject<typeof processSettings>>

/** Settings of a process with a public port. */
export function listenSettings(port: number) {
  return {
    PORT: setting.port.default(port),
    /** Open connections. Connections beyond the limit are closed immediately. */
    MAX_CONNECTIONS: setting.whole.pipe(z.int().min(1)).default(4_096),
    /** Open connections of one peer address (an IPv6 /64 counts as one); 0: no limit. Default: 512, or 0 behind proxies. */
    MAX_CONNECTIONS_PER_ADDRESS: setting.whole.optional(),
    /** Number of trusted proxies that append to `X-Forwarded-For`; 0: the header is ignored. */
    TRUSTED_PROXY_HOPS: setting.whole.default(0),
  }
}
export type ListenSettings = z.output<z.ZodObject<ReturnType<typeof listenSettings>>> & Pick<ProcessConfig, 'HOST'>

const file = z.string().optional()

/** Settings of a process on the bus. */
export const busSettings = {
  NATS_URL: setting.nats_url,
  /** File with NATS credentials (JWT and seed), or with the seed of an nkey. */
  NATS_CREDS_FILE: file,
  NATS_CA_FILE: file,
  NATS_CERT_FILE: file,
  NATS_KEY_FILE: file,
}

/** Settings of a process with a database. */
export const databaseSettings = {
  DATABASE_URL: setting.postgres_url,
  /** `no` for a pooler that assigns a connection for each transaction and does not know prepared statements. */
  DATABASE_PREPARED_STATEMENTS: setting.yes.default(true),
}

/** Settings of a process that reads from replicas of its database. */
export const replicaSettings = {
  /** Standbys of the server of `DATABASE_URL`, for reads that may be some seconds old. */
  DATABASE_REPLICA_URL: setting.postgres_url.optional(),
  /** A replica whose data can be older is not used. */
  DATABASE_REPLICA_MAX_AGE_SECONDS: setting.whole.pipe(z.int().min(1).max(3_600)).optional(),
}
export type DatabaseConfig = Pick<z.output<z.ZodObject<typeof databaseSettings>>, 'DATABASE_URL'> &
  Partial<z.output<z.ZodObject<typeof databaseSettings & typeof replicaSettings>>>

/** Settings of a process that uses Redis. */
export const redisSettings = {
  REDIS_URL: setting.redisUrl,
  REDIS_CA_FILE: file,
  REDIS_CERT_FILE: file,
  REDIS_KEY_FILE: file,
}
