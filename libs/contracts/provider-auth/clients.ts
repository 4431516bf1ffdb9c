import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { Client, clientSettings } from '../objects/client.ts'
import { ExistingClientId, ExistingSecret } from '../objects/existing-secret.ts'
import { CallbackRules } from '../objects/site.ts'
import { Count, Site, Text } from '../scalars.ts'

const ClientName = z.object({ site: Site, client_id: Text })
const { pkce, id_token_alg, response_types, callback_by_domain, token_exchange } = clientSettings
const { metadata_claims, consents_claim, user_metadata_write } = clientSettings

/** The clients of sites: applications that log end users in. */
export const clientProcedures = {
  /**
   * Registers a client of a site. Only this response contains the secret; a public client has none and must use PKCE.
   */
  registerClient: {
    input: z.object({
      site: Site,
      name: clientSettings.name,
      kind: Client.shape.kind,
      redirect_uris: clientSettings.redirect_uris,
      post_logout_redirect_uris: clientSettings.post_logout_redirect_uris.default([]),
      callback_by_domain: callback_by_domain.default(false),
      token_exchange: token_exchange.default(false),
      metadata_claims: metadata_claims.default([]),
      consents_claim: consents_claim.default(false),
      user_metadata_write: user_metadata_write.default(false),
      response_types: response_types.default(['code', 'id_token']),
      /** Absent: the least strict value that the kind allows. */
      pkce: pkce.optional(),
      id_token_alg: id_token_alg.default('RS256'),
      /** What another service issued; absent: new values. The secret is null for a public client. */
      existing: z.object({ client_id: ExistingClientId, client_secret: ExistingSecret.nullable() }).optional(),
    }),
    output: z.object({ client_id: z.string(), client_secret: z.string().nullable(), client: Client }),
    /**
     * `invalid_parameter`: a redirect URI that is invalid or violates the site's rules, or a public client without
     * PKCE, or with a secret. `entity_not_found`: the site does not exist. `already_exists`: a client has the existing client ID.
     */
    faults: ['invalid_parameter', 'entity_not_found', 'already_exists'],
  },
  listClients: {
    input: z.object({ site: Site }),
    output: z.object({ clients: z.array(Client) }),
    faults: [],
    repeatable: true,
  },
  readClient: { input: ClientName, output: Client, faults: ['entity_not_found'], repeatable: true },
  /** Changes the given fields only. `invalid_parameter` as in `registerClient`. */
  changeClient: {
    input: ClientName.extend({ expected_revision: Count, ...z.object(clientSettings).partial().shape }),
    output: Client,
    faults: ['entity_not_found', 'changed_meanwhile', 'invalid_parameter'],
  },
  /** Deletes a client permanently; its codes and tokens become invalid immediately. */
  removeClient: { input: ClientName, output: z.object({}), faults: ['entity_not_found'] },
  /** Only this response contains the secret. `invalid_parameter`: the client is public, or has two valid secrets. */
  issueClientSecret: {
    input: ClientName,
    output: z.object({ secret_id: z.string(), client_secret: z.string() }),
    faults: ['entity_not_found', 'invalid_parameter'],
  },
  /** `invalid_parameter`: it is the client's only secret. */
  revokeClientSecret: {
    input: ClientName.extend({ secret_id: Text }),
    output: z.object({}),
    faults: ['entity_not_found', 'invalid_parameter'],
  },
  /**
   * First half of a change of a site's callback rules: checks the registered redirect URIs against the new rules. If
   * all satisfy them, new redirect URIs must too, until the site's revision is greater than `expected_revision` or, if
   * the change is never made, for one minute. `rejected` has at most 100 entries.
   */
  prepareCallbackRules: {
    input: CallbackRules.extend({ site: Site, expected_revision: Count }),
    output: z.object({
      rejected: z.array(
        z.object({
          client_id: z.string(),
          client: z.string(),
          redirect_uri: z.string(),
          reason: z.enum(['not_https', 'outside_domains']),
        }),
      ),
    }),
    faults: [],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>
