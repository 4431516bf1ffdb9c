import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import { createFileRegistry, fromBinary, fromJson, toJson } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { Parse } from 'glossy'

/** The descriptors of OTLP 1.x as the OpenTelemetry project publishes them, for a parser that rejects unknown fields. */
const descriptors = readFileSync(join(import.meta.dirname, 'otlp-logs.binpb'))
const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors))

/** Parses JSON as OTLP says (ProtoJSON). @throws if it is not such a request */
export function parseOtlpLogs(json: string) {
  const schema = registry.getMessage('opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest')
  if (schema === undefined) throw new Error('The descriptors have no such message.')
  return toJson(schema, fromJson(schema, JSON.parse(json)), { registry })
}

interface OtlpAnswer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A server of OTLP logs. */
export async function startOtlpReceiver(answer: () => OtlpAnswer = () => ({ status: 200, body: '{}' })) {
  const received: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  let respond = answer
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: gunzipSync(await buffer(request)).toString() })
    const { status, body, headers } = respond()
    response.writeHead(status, headers).end(body)
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/v1/logs`,
    received,
    answerWith(next: typeof answer) {
      respond = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await close(server)
    },
  }
}

/** A message as a foreign parser reads it. */
export interface ParsedSyslog {
  readonly facility: string
  readonly severity: string
  readonly time: Date
  readonly host: string
  readonly appName: string
  readonly msgID: string
  readonly message: string
  readonly structuredData: Readonly<Record<string, Readonly<Record<string, string>>>>
}

interface SyslogOptions extends TlsOptions {
  /** What happens to a connection instead of reading it. */
  readonly handle?: (socket: TLSSocket) => void
}

/** A syslog server with TLS. It closes a connection after it has read it, as RFC 5425 says. */
export async function startSyslogServer({ handle, ...options }: SyslogOptions) {
  const messages: ParsedSyslog[] = []
  const state = { connections: 0, handle }
  const server = createTlsServer(options, async (socket) => {
    state.connections++
    socket.on('error', () => {})
    if (state.handle !== undefined) return state.handle(socket)
    const bytes = await buffer(socket)
    for (const frame of splitFrames(bytes)) messages.push(Parse.parse(frame) as ParsedSyslog) // The package has no types.
  })
  const port = await listen(server)
  return { port, messages, state, [Symbol.asyncDispose]: () => close(server) }
}

/** RFC 5425, section 4.3. */
function splitFrames(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const space = bytes.indexOf(' ', start)
    const end = space + 1 + Number(bytes.subarray(start, space).toString())
    frames.push(bytes.subarray(space + 1, end))
    start = end
  }
  return frames
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // A server that listens on TCP has a port.
}

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
