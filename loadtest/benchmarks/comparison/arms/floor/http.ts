import { once } from 'node:events'
import { createServer } from 'node:http'
import { reportServing } from '../environment.ts'
import { readConstantResponse } from './constant-response.ts'

/** The floor of every HTTP server in Node.js: node:http with a constant response. */
const { status, headers, body } = readConstantResponse()
const fields = { ...headers, 'content-length': Buffer.byteLength(body) }

const server = createServer((_, response) => {
  response.writeHead(status, fields).end(body)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
reportServing(typeof address === 'object' ? address?.port : undefined)
