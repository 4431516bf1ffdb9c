import { type Context, callerAddress, type Parameters, readForm } from '#http'
import type { Deps } from '../../deps.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { authenticateClient } from './authenticate-client.ts'
import type { CountClientFailure } from './client-failures.ts'

/** Reads the form that a client posts to an endpoint for applications. @throws OAuthError, MalformedParameters */
export async function readClientForm(ctx: Context): Promise<Parameters> {
  if (ctx.querystring !== '') throw new OAuthError('parameters_in_url')
  return readForm(ctx.req)
}

/** @throws OAuthError as `authenticateClient`, and `invalid_request` for repeated parameters */
export async function authenticateClientForm(
  ctx: Context,
  { values, repeated }: Parameters,
  deps: Pick<Deps, 'siteSettings' | 'trusted_hops'> & { readonly countFailure: CountClientFailure },
): Promise<RegisteredClient> {
  if (repeated.size > 0) throw new OAuthError('parameter_repeated')
  const address = callerAddress(ctx.req, deps.trusted_hops)
  return authenticateClient(ctx.headers.authorization, values, address, deps)
}
