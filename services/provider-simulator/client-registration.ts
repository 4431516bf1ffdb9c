import type { Context } from '#http'
import { Client, type Clients } from './clients.ts'
import { readJson } from './json.ts'

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
