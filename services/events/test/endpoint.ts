import { randomUUID } from 'node:crypto'
import type { EventTypeName, SignatureScheme } from '#contracts'
import { openStream } from './harness.ts'
import { startReceiver } from './receiver.ts'

interface EndpointOptions {
  readonly types?: EventTypeName[]
  readonly signature?: SignatureScheme
  readonly ordered?: boolean
}

/** A site with a receiver, and an endpoint for it. */
export async function openEndpoint({ types, signature = 'v1', ordered = false }: EndpointOptions = {}) {
  await using stack = new AsyncDisposableStack()
  const stream = await openStream()
  const { site } = stream
  const { events, identity, call } = stream.stack
  const receiver = stack.use(await startReceiver())
  const settings = { name: 'shop', url: receiver.url, types: types ?? null, signature, ordered, enabled: true }
  const names = { account: 'test', site_id: stream.siteId }
  const created = await events.createEndpoint({ site, ...names, ...settings }, call())
  const key = { site, endpoint_id: created.endpoint.endpoint_id }
  const parts = stack.move()
  return {
    stream,
    site,
    names,
    events,
    call,
    receiver,
    key,
    settings,
    verification_key: created.secret ?? String(created.endpoint.public_key),
    /** Creates and maps a user, which are two events. */
    createUser: async () => {
      const { user } = await identity.createUser({ site, links: [] }, call())
      const { identifier } = user
      await identity.mapPrimaryKey({ site, identifier, primary_key: randomUUID(), overwrite: false }, call())
      return identifier
    },
    read: () => events.readEndpoint(key, call()),
    change: async (changes: Partial<typeof settings>) => {
      const { revision } = await events.readEndpoint(key, call())
      const { signature: _, ...changed } = changes
      return events.changeEndpoint({ ...key, expected_revision: revision, ...changed }, call())
    },
    listDeliveries: async () => (await events.listDeliveries({ ...key, limit: 100 }, call())).deliveries,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
