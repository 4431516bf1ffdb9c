import type { Context } from '#http'
import { Client, type Clients } from './clients.ts'
import { readJsonInput } from './json-input.ts'

/** `POST /clients`: 201 with the client's provider and id, or 400 in the form of RFC 7591 3.2.2. */
export async function registerClient(ctx: Context, clients: Clients): Promise<void> {
  const input = await readJsonInput(ctx, Client)
  if ('data' in input) {
    const { provider, client_id } = input.data
    clients.register(input.data)
    ctx.status = 201
    ctx.body = { provider, client_id }
  } else {
    ctx.status = 400
    ctx.body = { error: 'invalid_client_metadata', error_description: input.problem }
  }
}
