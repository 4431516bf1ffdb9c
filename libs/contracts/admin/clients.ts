import { z } from 'zod'
import { Client, clientSettings } from '../objects/client.ts'
import { ExistingClientId, ExistingSecret } from '../objects/existing-secret.ts'
import { Text } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

export { Client, clientSettings } from '../objects/client.ts'

const ClientReference = SiteReference.extend({ client_id: Text })
const redirectUriRejected = 'A redirect URI cannot be registered. The message names it and the reason.'

const newClientFields = {
  kind: Client.shape.kind,
  name: clientSettings.name,
  redirect_uris: clientSettings.redirect_uris,
  post_logout_redirect_uris: clientSettings.post_logout_redirect_uris.default([]),
  callback_by_domain: clientSettings.callback_by_domain.default(false),
  token_exchange: clientSettings.token_exchange.default(false),
  metadata_claims: clientSettings.metadata_claims.default([]),
  consents_claim: clientSettings.consents_claim.default(false),
  user_metadata_write: clientSettings.user_metadata_write.default(false),
  response_types: clientSettings.response_types.default(['code', 'id_token']),
  pkce: clientSettings.pkce.optional(),
  id_token_alg: clientSettings.id_token_alg.default('RS256'),
} as const

export const clientProcedures = adminProcedures({
  listClients: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/clients',
    summary: 'Clients of a site',
    role: 'viewer',
    servedBy: 'provider_auth',
    input: SiteReference,
    output: z.object({ clients: z.array(Client) }),
  },
  enterClient: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/clients/existing',
    summary:
      'Create a client with the client ID and secret that another service issued, so that your application keeps them. Rotate the secret afterwards',
    role: 'owner',
    sensitive: true,
    help: {
      client_id: 'client ID that another service issued',
      client_secret:
        'client secret that another service issued, with at least 128 bits; only its hash is stored. None for a public client',
    },
    input: SiteReference.extend({
      client_id: ExistingClientId,
      client_secret: ExistingSecret.optional(),
      ...newClientFields,
    }),
    output: z.object({ client: Client }),
    faults: {
      conflict: 'A client with this client ID exists already.',
      invalid_request:
        'A confidential client needs a secret, a public client has none, or a redirect URI was rejected.',
    },
  },
  createClient: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/clients',
    summary: 'Create a client. The secret of a confidential client is returned in this response only',
    role: 'editor',
    sensitive: true,
    form: 'client',
    help: { kind: 'confidential for a server that can store a secret, public for a browser or app' },
    input: SiteReference.extend(newClientFields),
    output: z.object({ client: Client, client_secret: z.string().nullable() }),
    faults: { invalid_request: redirectUriRejected },
  },
  readClient: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/clients/{client_id}',
    summary: 'A client',
    role: 'viewer',
    versioned: true,
    servedBy: 'provider_auth',
    input: ClientReference,
    output: Client,
  },
  changeClient: {
    method: 'PATCH',
    path: '/accounts/{account}/sites/{site_id}/clients/{client_id}',
    summary: 'Change a client. Omitted fields keep their values',
    role: 'editor',
    sensitive: [
      'redirect_uris',
      'post_logout_redirect_uris',
      'callback_by_domain',
      'token_exchange',
      'metadata_claims',
      'consents_claim',
      'user_metadata_write',
    ],
    versioned: true,
    servedBy: 'provider_auth',
    reader: 'readClient',
    input: ClientReference.extend(z.object(clientSettings).partial().shape),
    output: Client,
    faults: { invalid_request: redirectUriRejected },
  },
  removeClient: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/clients/{client_id}',
    summary: 'Remove a client. Its codes and tokens are revoked immediately',
    role: 'owner',
    sensitive: true,
    input: ClientReference,
    output: z.object({}),
  },
  issueClientSecret: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/clients/{client_id}/secrets',
    summary: 'Issue a second client secret, to rotate it without downtime. It is returned in this response only',
    role: 'owner',
    sensitive: true,
    input: ClientReference,
    output: z.object({ secret_id: z.string(), client_secret: z.string() }),
    faults: {
      conflict: 'Two secrets are active. Revoke one first.',
      invalid_request: 'A public client has no secret.',
    },
  },
  revokeClientSecret: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/clients/{client_id}/secrets/{secret_id}',
    summary: 'Revoke a secret',
    role: 'owner',
    sensitive: true,
    input: ClientReference.extend({ secret_id: Text }),
    output: z.object({}),
    faults: { conflict: 'It is the only secret. Issue another one first.' },
  },
})
