import rawBody from 'raw-body'
import type { Context } from '#http'
import { Client, type Clients } from './clients.ts'

/** `POST /clients`: 201 with the client's provider and id, or 400 in the form of RFC 7591 3.2.2. */
export async function registerClient(ctx: Context, clients: Clients): Promise<void> {
  const parsed = Client.safeParse(await readJson(ctx))
  if (parsed.success) {
    const { provider, client_id } = parsed.data
    clients.register(parsed.data)
    ctx.status = 201
    ctx.body = { provider, client_id }
  } else {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'The JSON body'}: ${message}`)
    ctx.status = 400
    ctx.body = { error: 'invalid_client_metadata', error_description: problems.join('; ') }
  }
}

/**
 * Undefined for what is not JSON or longer than 64 KiB. A page of another site cannot send this content type without asking
 * the simulator first, which does not answer it.
 */
async function readJson(ctx: Context): Promise<unknown> {
  if (!ctx.is('application/json')) return undefined
  try {
    return JSON.parse(await rawBody(ctx.req, { limit: 65_536, encoding: 'utf8' }))
  } catch {
    return undefined
  }
}
