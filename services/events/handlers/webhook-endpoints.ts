import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import { Fault, limits, type WebhookEndpoint } from '#contracts'
import { transaction, translateConstraintErrors } from '#database'
import { createWebhookSecret, findPublicKey } from '#webhooks'
import { decryptSecrets, encryptSecret } from '../delivery/secrets.ts'
import type { Deps, EventsHandlers } from '../deps.ts'
import { lockStreams } from '../store/streams.ts'
import {
  countEndpoints,
  deleteEndpoint,
  type EndpointKey,
  insertEndpoint,
  lockEndpoint,
  type StoredEndpoint,
  selectEndpoints,
  updateEndpoint,
} from '../store/webhook-endpoints.ts'
import { insertWebhookSecret } from '../store/webhook-secrets.ts'

export const listEndpoints: EventsHandlers['listEndpoints'] = async ({ site }, { knex, encryptor }) => {
  const endpoints = await selectEndpoints(knex, { site })
  return { endpoints: await Promise.all(endpoints.map((endpoint) => toEndpoint(endpoint, encryptor))) }
}

export const readEndpoint: EventsHandlers['readEndpoint'] = (key, deps) => findEndpoint(deps.knex, key, deps)

export const createEndpoint: EventsHandlers['createEndpoint'] = async ({ site, ...settings }, deps) => {
  requireAllowedUrl(settings.url, deps)
  const key = { site, endpoint_id: randomUUID() }
  return transaction(deps.knex, async (trx) => {
    // New events need the same lock: the endpoint receives those that are recorded afterwards.
    const [stream] = await lockStreams(trx, [site])
    if ((await countEndpoints(trx, site)) >= limits.webhook_endpoints)
      throw rejectField('name', `cannot be added: a site has at most ${limits.webhook_endpoints} endpoints`)
    const inserting = insertEndpoint(trx, { ...key, ...settings, sequence: stream?.last_sequence ?? 0 })
    await rejectKnownName(inserting)
    return addSecret(trx, { ...key, signature: settings.signature, overlapSeconds: 0 }, deps)
  })
}

export const changeEndpoint: EventsHandlers['changeEndpoint'] = async (input, deps) => {
  const { site, endpoint_id, expected_revision, ...changes } = input
  if (changes.url !== undefined) requireAllowedUrl(changes.url, deps)
  const key = { site, endpoint_id }
  const changed = await transaction(deps.knex, async (trx) => {
    const { revision } = await requireEndpoint(trx, key)
    if (revision !== expected_revision) throw new Fault('changed_meanwhile')
    await rejectKnownName(updateEndpoint(trx, key, changes))
    return findEndpoint(trx, key, deps)
  })
  deps.delivery.wake()
  return changed
}

export const removeEndpoint: EventsHandlers['removeEndpoint'] = async (key, { knex }) => {
  if (!(await deleteEndpoint(knex, key))) throw new Fault('entity_not_found')
  return {}
}

export const rollEndpointSecret: EventsHandlers['rollEndpointSecret'] = ({ overlap_hours, ...key }, deps) =>
  transaction(deps.knex, async (trx) => {
    const { signature } = await requireEndpoint(trx, key)
    return addSecret(trx, { ...key, signature, overlapSeconds: overlap_hours * 3_600 }, deps)
  })

/** @throws Fault `entity_not_found` */
async function requireEndpoint(trx: Knex.Transaction, key: EndpointKey) {
  const locked = await lockEndpoint(trx, key)
  if (locked === undefined) throw new Fault('entity_not_found')
  return locked
}

/** Adds the newest secret of a locked endpoint; the others remain valid for so long. */
async function addSecret(
  trx: Knex.Transaction,
  added: EndpointKey & Pick<WebhookEndpoint, 'signature'> & { readonly overlapSeconds: number },
  deps: Pick<Deps, 'encryptor'>,
) {
  const secret = createWebhookSecret(added.signature)
  const secretId = randomUUID()
  const row = { secret_id: secretId, secret_encrypted: encryptSecret(deps.encryptor, secretId, secret) }
  await insertWebhookSecret(trx, { ...added, ...row }, added.overlapSeconds)
  return { endpoint: await findEndpoint(trx, added, deps), secret: added.signature === 'v1' ? secret : null }
}

/** @throws Fault `entity_not_found` */
async function findEndpoint(
  knex: Knex,
  { site, endpoint_id }: EndpointKey,
  { encryptor }: Pick<Deps, 'encryptor'>,
): Promise<WebhookEndpoint> {
  const [endpoint] = await selectEndpoints(knex, { site, endpoint_id })
  if (endpoint === undefined) throw new Fault('entity_not_found')
  return toEndpoint(endpoint, encryptor)
}

/** Without the secrets, with the public key of the newest one. */
async function toEndpoint(stored: StoredEndpoint, encryptor: Deps['encryptor']): Promise<WebhookEndpoint> {
  const { site: _, secrets, ...endpoint } = stored
  const [newest] = endpoint.signature === 'v1a' ? await decryptSecrets({ secrets }, encryptor) : []
  return {
    ...endpoint,
    public_key: newest === undefined ? null : findPublicKey(newest),
    secrets: secrets.map(({ created_at, expires_at }) => ({ created_at, expires_at })),
  }
}

/** @throws Fault `invalid_parameter` if the URL has a scheme or an address that this installation does not allow */
function requireAllowedUrl(url: string, { isUrlAllowed }: Pick<Deps, 'isUrlAllowed'>): void {
  if (!isUrlAllowed(url)) throw rejectField('url', 'must start with https:// and have a public address')
}

function rejectField(field: string, reason: string): Fault {
  return new Fault('invalid_parameter', { fields: [{ field, reason }] })
}

function rejectKnownName<T>(work: PromiseLike<T>): Promise<T> {
  return translateConstraintErrors(work, { webhook_endpoints_name_unique: 'already_exists' })
}
