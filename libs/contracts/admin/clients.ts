import { z } from 'zod'
import { Client, clientSettings } from '../objects/client.ts'
import { adminProcedures } from './procedure.ts'
import { SiteName } from './sites.ts'

export { Client, clientSettings } from '../objects/client.ts'

const ClientName = SiteName.extend({ client_id: z.string() })
const redirect_uri_refused = 'A callback address may not be registered; the message names it and says why.'

export const clientProcedures = adminProcedures({
  listClients: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/clients',
    summary: 'Clients of a site',
    role: 'viewer',
    input: SiteName,
    output: z.object({ clients: z.array(Client) }),
  },
  createClient: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/clients',
    summary: 'Create a client; a confidential one is told its secret in this answer only',
    role: 'editor',
    input: SiteName.extend({
      kind: Client.shape.kind,
      name: clientSettings.name,
      redirect_uris: clientSettings.redirect_uris,
      response_types: clientSettings.response_types.default(['code', 'id_token']),
      pkce: clientSettings.pkce.optional(),
      id_token_alg: clientSettings.id_token_alg.default('RS256'),
    }),
    output: z.object({ client: Client, client_secret: z.string().nullable() }),
    faults: { invalid_request: redirect_uri_refused },
  },
  readClient: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/clients/{client_id}',
    summary: 'A client',
    role: 'viewer',
    versioned: true,
    input: ClientName,
    output: Client,
  },
  changeClient: {
    method: 'PATCH',
    path: '/accounts/{account}/sites/{site_id}/clients/{client_id}',
    summary: 'Change a client: what is given is changed, the rest stays',
    role: 'editor',
    versioned: true,
    input: ClientName.extend(z.object(clientSettings).partial().shape),
    output: Client,
    faults: { invalid_request: redirect_uri_refused },
  },
  removeClient: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/clients/{client_id}',
    summary: 'Remove a client: its codes and tokens end at once',
    role: 'owner',
    sensitive: true,
    input: ClientName,
    output: z.object({}),
  },
  issueClientSecret: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/clients/{client_id}/secrets',
    summary: 'Issue a second secret, so that it can be changed without a pause; told in this answer only',
    role: 'owner',
    sensitive: true,
    input: ClientName,
    output: z.object({ secret_id: z.string(), client_secret: z.string() }),
    faults: { conflict: 'Two secrets are live. Revoke one first.', invalid_request: 'A public client has no secret.' },
  },
  revokeClientSecret: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/clients/{client_id}/secrets/{secret_id}',
    summary: 'Revoke a secret',
    role: 'owner',
    sensitive: true,
    input: ClientName.extend({ secret_id: z.string() }),
    output: z.object({}),
    faults: { conflict: 'It is the only one. Issue another first.' },
  },
})
