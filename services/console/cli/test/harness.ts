import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { run } from '../run.ts'

export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface CliOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Standard input. */
  readonly stdin?: string | Readable
  readonly interactive?: boolean
  readonly columns?: number
}

/** Runs the command line until it exits. */
export async function socialLogin(args: readonly string[], options: CliOptions = {}): Promise<CommandResult> {
  const { environment = {}, stdin = '', interactive = false, columns = 160 } = options
  let [out, err] = ['', '']
  const code = await run(args, {
    environment,
    stdin: typeof stdin === 'string' ? Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]) : stdin,
    print: (printed) => {
      out += printed
    },
    printError: (complaint) => {
      err += complaint
    },
    interactive,
    columns,
  })
  return { code, out, err }
}

export interface ReceivedRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

export interface StubServer extends AsyncDisposable {
  readonly environment: { readonly SOCIAL_LOGIN_URL: string; readonly SOCIAL_LOGIN_TOKEN: string }
  readonly received: readonly ReceivedRequest[]
}

/** A server that sends these responses in turn, the last one repeatedly, to simulate failures of a console. */
export async function startStubServer(
  ...responses: readonly {
    readonly status: number
    readonly body: unknown
    readonly headers?: Record<string, string>
  }[]
): Promise<StubServer> {
  const received: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    received.push({ method, url, headers, body: await text(request) })
    const stub = responses[Math.min(received.length, responses.length) - 1]
    const body = typeof stub?.body === 'string' ? stub.body : JSON.stringify(stub?.body)
    response.writeHead(stub?.status ?? 500, stub?.headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo
  return {
    environment: { SOCIAL_LOGIN_URL: `http://127.0.0.1:${port}`, SOCIAL_LOGIN_TOKEN: 'slt_test' },
    received,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
