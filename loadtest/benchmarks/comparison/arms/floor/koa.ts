import { once } from 'node:events'
import Koa from 'koa'
import { reportServing } from '../environment.ts'
import { readConstantResponse } from './constant-response.ts'

/** The floor of a Koa application: one middleware with a constant response. */
const { status, headers, body } = readConstantResponse()

const app = new Koa()
app.use((ctx) => {
  ctx.status = status
  ctx.set(headers)
  ctx.body = body
})
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
reportServing(typeof address === 'object' ? address?.port : undefined)
