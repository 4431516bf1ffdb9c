import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createChildError, findFreePort, findPrograms, startChild } from '#local'

const [program] = await findPrograms('caddy')

/** Why Caddy cannot run on this machine, for test titles; undefined if it can. */
export const caddyMissing = program === undefined ? ' (not installed; Debian: caddy)' : undefined

interface Upstreams {
  readonly web_api: string
  readonly auth: string
}

export interface Caddy extends AsyncDisposable {
  /** Sends a request over TLS. @throws Error if Caddy has no certificate for the host */
  readonly get: (host: string, path: string) => Promise<Response>
  /** Sends a request without TLS. */
  readonly getPlain: (host: string, path: string) => Promise<Response>
}

interface Response {
  readonly status: number
  readonly location: string | undefined
  readonly body: string
}

/** Caddy with the example's configuration, on free ports and with its own certificate authority. */
export async function startCaddy(upstreams: Upstreams): Promise<Caddy> {
  await using starting = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-caddy-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  const [plainPort, port] = await Promise.all([findFreePort(), findFreePort()])
  const config = join(directory, 'Caddyfile')
  await writeFile(config, adaptExample(upstreams, { directory, plainPort, port }))
  const child = await startChild({
    title: 'Caddy',
    command: program?.path ?? '',
    args: ['run', '--adapter', 'caddyfile', '--config', config],
    log: join(directory, 'caddy.log'),
    pidFile: join(directory, 'caddy.pid'),
    environment: { HOME: directory },
    stopSignal: 'SIGTERM',
    stopDeadlineMs: 10_000,
    stopsWithParentBy: 'watcher',
  })
  starting.defer(child.stop)
  while (!(await isListening(port)))
    if (child.ended() !== undefined) throw createChildError(child, 'Caddy', 'ended instead of starting')
  const stack = starting.move()
  return {
    get: (host, path) => sendRequest({ protocol: https, port, host, path }),
    getPlain: (host, path) => sendRequest({ protocol: http, port: plainPort, host, path }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function adaptExample(
  { web_api, auth }: Upstreams,
  { directory, plainPort, port }: { directory: string; plainPort: number; port: number },
): string {
  const options = `
	http_port ${plainPort}
	https_port ${port}
	default_bind 127.0.0.1
	storage file_system ${directory}/data
	local_certs
	skip_install_trust
	admin off`
  return readFileSync('deploy/examples/site-hosts.Caddyfile', 'utf8')
    .replace(/^\{$/m, `{${options}`)
    .replaceAll('127.0.0.1:8080', new URL(web_api).host)
    .replaceAll('127.0.0.1:8081', new URL(auth).host)
}

interface Request {
  readonly protocol: typeof http | typeof https
  readonly port: number
  readonly host: string
  readonly path: string
}

function sendRequest({ protocol, port, host, path }: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, servername: host, headers: { host }, rejectUnauthorized: false }
    const read = (response: http.IncomingMessage) => {
      const { statusCode: status = 0, headers } = response
      text(response).then((body) => resolve({ status, location: headers.location, body }), reject)
    }
    protocol.request(options, read).on('error', reject).end()
  })
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .on('connect', () => resolve(true))
      .on('error', () => resolve(false))
      .on('connect', () => socket.destroy())
  })
}
