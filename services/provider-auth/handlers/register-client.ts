import type { Handler } from '#bus'
import { Fault, type providerAuth } from '#contracts'
import { transaction } from '#database'
import { hashSecret, newToken } from '#runtime'
import type { Deps } from '../deps.ts'
import { mayBeRegistered } from '../domain/redirect-uri.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { insertClient } from '../store/clients.ts'

type Procedure = (typeof providerAuth.procedures)['registerClient']

export const registerClient: Handler<Procedure, Deps> = async (input, { knex }) => {
  const { site, name, kind, id_token_alg } = input
  if (!input.redirect_uris.every((redirect_uri) => mayBeRegistered(redirect_uri, kind)))
    throw new Fault('invalid_parameter')
  const client = {
    client_id: newToken(tokenPrefixes.client_id, 16),
    site,
    name,
    kind,
    // Nothing else protects the code of a client that cannot keep a secret (RFC 9700 2.1.1).
    pkce: kind === 'public' && input.pkce === 'optional' ? 'required' : input.pkce,
    id_token_alg,
    redirect_uris: [...new Set(input.redirect_uris)],
  } as const
  const client_secret = kind === 'public' ? null : newToken(tokenPrefixes.client_secret)
  await transaction(knex, (trx) => insertClient(trx, client, client_secret === null ? [] : [hashSecret(client_secret)]))
  return { client_id: client.client_id, client_secret }
}
