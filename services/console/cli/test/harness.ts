import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { run } from '../run.ts'

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface Surroundings {
  readonly environment?: Readonly<Record<string, string>>
  /** What is typed or piped into it. */
  readonly stdin?: string | Readable
  readonly interactive?: boolean
  readonly columns?: number
}

/** Runs the command line to its end. */
export async function socialLogin(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  const { environment = {}, stdin = '', interactive = false, columns = 160 } = surroundings
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

export interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

export interface AnsweringServer extends AsyncDisposable {
  readonly environment: { readonly SOCIAL_LOGIN_URL: string; readonly SOCIAL_LOGIN_TOKEN: string }
  readonly asked: readonly Asked[]
}

/** A server that gives these answers in turn, the last one ever after, as no real console can be made to fail. */
export async function startAnsweringServer(
  ...answers: readonly { readonly status: number; readonly body: unknown; readonly request_id?: string }[]
): Promise<AnsweringServer> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    asked.push({ method, url, headers, body: await text(request) })
    const answer = answers[Math.min(asked.length, answers.length) - 1]
    const body = typeof answer?.body === 'string' ? answer.body : JSON.stringify(answer?.body)
    response.writeHead(answer?.status ?? 500, answer?.request_id ? { 'x-request-id': answer.request_id } : {}).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo
  return {
    environment: { SOCIAL_LOGIN_URL: `http://127.0.0.1:${port}`, SOCIAL_LOGIN_TOKEN: 'slt_test' },
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
