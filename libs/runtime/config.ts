import { readFileSync } from 'node:fs'
import { z } from 'zod'

export type Environment = Readonly<Record<string, string | undefined>>

/** Complaints about the environment, one line each; for the person who starts the service. */
export class ConfigError extends Error {
  constructor(complaints: readonly string[]) {
    super(`The configuration is not usable:\n${complaints.map((complaint) => `  ${complaint}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Reads a service's settings; `settings` are the names of the variables it reads. */
export interface ConfigReader<C> {
  (environment: Environment): C
  readonly settings: readonly string[]
}

/**
 * A reader of the environment for a service's settings; unknown variables are left alone, empty ones are absent.
 * The reader throws one ConfigError with every complaint. Values never stand in a complaint: they may be secrets.
 */
export function configReader<const S extends z.ZodRawShape>(shape: S): ConfigReader<z.output<z.ZodObject<S>>> {
  const schema = z.object(shape)
  const inFiles = Object.keys(shape).filter((name) => secretSettings.has(name))
  const read = (environment: Environment) => {
    const given = Object.fromEntries(
      Object.entries(withFiles(environment, inFiles)).filter(([, value]) => value !== undefined && value !== ''),
    )
    const result = schema.safeParse(given)
    if (result.success) return result.data
    throw new ConfigError(
      result.error.issues.map((issue) => {
        const name = issue.path.join('.')
        return given[name] === undefined ? `${name} is missing.` : `${name} is wrong: ${issue.message}`
      }),
    )
  }
  return Object.assign(read, { settings: [...Object.keys(shape), ...inFiles.map(fileOf)] })
}

/** Settings that hold a secret may stand in a file instead, which `<name>_FILE` names. */
const secretSettings = new Set(['DATABASE_URL', 'REDIS_URL', 'NATS_URL', 'CURSOR_KEY', 'OPERATOR_CLIENT_SECRET'])

function fileOf(name: string): string {
  return `${name}_FILE`
}

function withFiles(environment: Environment, names: readonly string[]): Environment {
  const complaints: string[] = []
  const read = names.flatMap((name): [string, string][] => {
    const file = environment[fileOf(name)]
    if (!file) return []
    if (environment[name]) complaints.push(`${name} and ${fileOf(name)} are both set; give one of them.`)
    try {
      return [[name, readFileSync(file, 'utf8').trim()]]
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
      complaints.push(`${fileOf(name)} is wrong: the file cannot be read (${code}).`)
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

/** Shapes that several services' settings share. */
export const setting = {
  port: whole.pipe(z.int().max(65_535)),
  whole,
  postgres_url: z.url({ protocol: /^postgres(ql)?$/ }),
  redisUrl: z.url({ protocol: /^rediss?$/ }),
  /** Several servers are separated by commas. */
  nats_url: z
    .string()
    .refine(
      (text) => text.split(',').every((url) => natsServer.safeParse(url).success),
      'must be nats:// or tls:// URLs',
    ),
  /** An absolute http(s) address without query, fragment or trailing slash, to which paths are appended. */
  baseUrl: z.url({ protocol: /^https?$/ }).regex(/^[^?#]*[^?#/]$/, 'must end without a slash, query or fragment'),
  /** 0 to 1 */
  share: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')
    .transform(Number),
  yes: z.enum(['yes', 'no']).transform((word) => word === 'yes'),
  log_level: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** `<token>:<name>[,…]` */
  pairs: z
    .string()
    .regex(/^[a-z_]+:[a-z0-9_]+(,[a-z_]+:[a-z0-9_]+)*$/, 'must be <token>:<name>, separated by commas')
    .transform((text) => Object.fromEntries(text.split(',').map((pair) => pair.split(':')))),
}

/** Whether the address is potentially trustworthy: https, or this machine (Secure Contexts 3.1). */
export function isSecureAddress(address: string): boolean {
  return URL.parse(address)?.protocol === 'https:' || isLocalAddress(address)
}

export function isLocalAddress(address: string): boolean {
  return /^(localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(URL.parse(address)?.hostname ?? '')
}

/** Settings of every process. `OPS_PORT` 0 takes any free port; `DRAIN_SECONDS` is how long to serve on after SIGTERM. */
export const processSettings = {
  LOG_LEVEL: setting.log_level,
  /** The address that the ports listen on; without it, all interfaces. */
  HOST: z.union([z.ipv4(), z.ipv6(), z.hostname()], 'must be an IP address or a host name').optional(),
  OPS_PORT: setting.port.default(9_090),
  DRAIN_SECONDS: setting.whole.default(0),
  /** Base address of an OTLP/HTTP collector; without it nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: setting.baseUrl.optional(),
  /** Of the traces begun here the share that is kept. */
  OTEL_TRACES_SAMPLER_ARG: setting.share.default(0.05),
}
export type ProcessConfig = z.output<z.ZodObject<typeof processSettings>>

/** Settings of a process with a public port. */
export function listenSettings(port: number) {
  return {
    PORT: setting.port.default(port),
    /** Open connections; one more is closed at once. */
    MAX_CONNECTIONS: setting.whole.pipe(z.int().min(1)).default(4_096),
    /** Open connections of one peer address (an IPv6 /64 counts as one); 0: no limit. The default is 512, or 0 behind proxies. */
    MAX_CONNECTIONS_PER_ADDRESS: setting.whole.optional(),
    /** How many proxies in front append to `X-Forwarded-For`; 0: the header is ignored. */
    TRUSTED_PROXY_HOPS: setting.whole.default(0),
  }
}
export type ListenSettings = z.output<z.ZodObject<ReturnType<typeof listenSettings>>> & Pick<ProcessConfig, 'HOST'>

const file = z.string().optional()

/** Settings of a process on the bus. */
export const busSettings = {
  NATS_URL: setting.nats_url,
  /** NATS credentials (JWT and seed), or an nkey's seed. */
  NATS_CREDS_FILE: file,
  NATS_CA_FILE: file,
  NATS_CERT_FILE: file,
  NATS_KEY_FILE: file,
}

/** Settings of a process that uses Redis. */
export const redisSettings = {
  REDIS_URL: setting.redisUrl,
  REDIS_CA_FILE: file,
  REDIS_CERT_FILE: file,
  REDIS_KEY_FILE: file,
}
