import type { Context, Parameters } from '#http'
import { equalSecrets } from '#runtime'
import type { SimulatedClient } from '../client-registry.ts'
import type { Dialect } from './dialect.ts'
import { oauthError, SimulatedError } from './errors.ts'
import type { OAuthServer } from './server.ts'

interface Credentials {
  readonly client_id: string | undefined
  readonly client_secret: string | undefined
}

type Source = (ctx: Context, parameters: Parameters, dialect: Dialect) => Credentials | undefined

const sources: Readonly<Record<'form' | 'basic' | 'raw_basic', Source>> = {
  form: (_, { values }, { clientParameters = {} }) => ({
    client_id: values.get(clientParameters.client_id ?? 'client_id'),
    client_secret: values.get(clientParameters.client_secret ?? 'client_secret'),
  }),
  basic: (ctx) => basicCredentials(ctx, decodeForm),
  raw_basic: (ctx) => basicCredentials(ctx, (text) => text),
}

/**
 * Authenticates the client of a request to the token or revocation endpoint (RFC 6749 2.3.1).
 *
 * @throws SimulatedError of the dialect
 */
export async function authenticateRegisteredClient(
  ctx: Context,
  parameters: Parameters,
  server: OAuthServer,
): Promise<SimulatedClient> {
  const { dialect, clients, issuer } = server
  const { methods, missing, unknownClient, wrongSecret, verifySecret } = dialect.clientAuthentication
  const credentials = methods.reduce<Credentials | undefined>(
    (found, method) => found ?? sources[method](ctx, parameters, dialect),
    undefined,
  )
  const { client_id, client_secret } = credentials ?? {}
  if (client_id === undefined) throw new SimulatedError(missing?.('client_id') ?? unknownClient)
  const client = clients.find(dialect.name, client_id)
  if (client_secret === undefined && missing !== undefined) throw new SimulatedError(missing('client_secret'))
  if (client === undefined) throw new SimulatedError(unknownClient)
  if (client_secret === undefined) throw new SimulatedError(wrongSecret)
  const error =
    verifySecret === undefined
      ? !equalSecrets(client_secret, client.client_secret) && wrongSecret
      : await verifySecret(client_secret, client, issuer)
  if (error) throw new SimulatedError(error)
  return client
}

/**
 * The ID and secret of `Authorization: Basic`; undefined if the header is absent, or one of them is empty after
 * decoding.
 */
function basicCredentials(ctx: Context, decode: (part: string) => string | undefined): Credentials | undefined {
  const encoded = /^Basic +([\w+/]+=*)$/i.exec(ctx.get('Authorization'))?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const clientId = decode(text.slice(0, Math.max(colon, 0)))
  const clientSecret = decode(text.slice(colon + 1))
  return clientId === undefined || clientSecret === undefined
    ? undefined
    : { client_id: clientId, client_secret: clientSecret }
}

/** Decodes the form encoding that RFC 6749 2.3.1 requires. */
function decodeForm(part: string): string | undefined {
  try {
    return decodeURIComponent(part.replaceAll('+', ' ')) || undefined
  } catch {
    throw new SimulatedError(oauthError('invalid_client', 'The Authorization header cannot be read.', 401))
  }
}
