import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const Value = z.object({ stringValue: z.string().optional(), intValue: z.union([z.number(), z.string()]).optional() })
const Pairs = z.array(z.object({ key: z.string(), value: Value }))
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: Pairs.default([]),
})
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Pairs }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
})

export type CollectedSpan = z.output<typeof Span> & { readonly service: string }

/** A collector that receives traces by OTLP over HTTP. */
export interface Collector extends AsyncDisposable {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** All received requests, unparsed. */
  readonly received: readonly string[]
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const received: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    received.push(`${request.url} ${JSON.stringify(request.headers)} ${body}`)
    for (const { resource, scopeSpans } of Export.parse(JSON.parse(body)).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? ''
      spans.push(...scopeSpans.flatMap((scope) => scope.spans).map((span) => ({ ...span, service })))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
