import { z } from 'zod'
import { type DocumentOfVersion, DocumentsOfVersions, Text } from '#contracts'
import type { AppLogin } from '../../domain/provider-client.ts'
import { OAuthError } from '../../http/oauth-error.ts'

const token = Text.min(1)

const InjectBody = z.strictObject({
  access_token: token.optional(),
  /** Of OAuth 1.0a. */
  access_secret: token.max(255).optional(),
  id_token: token.optional(),
  nonce: Text.min(1).max(512).optional(),
  refresh_token: token.optional(),
  /** In seconds; at most ten years. */
  expires_in: z.int().positive().max(315_360_000).optional(),
  user: z.looseObject({}).optional(),
  /** The documents of the site that the user accepted in the app, with their versions. */
  accepted_documents: DocumentsOfVersions.optional(),
  /** Links the account to the user of this token, instead of a login. */
  association_token: token.max(255).optional(),
})

/** A login that a native app made with the provider's SDK. */
export interface InjectRequest {
  readonly received: AppLogin
  readonly association_token: string | undefined
  readonly accepted_documents: readonly DocumentOfVersion[]
}

/**
 * Parses the body of an inject request.
 *
 * @throws OAuthError that names the first wrong field
 */
export function parseInjectRequest(body: unknown): InjectRequest {
  const parsed = InjectBody.safeParse(body)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    throw new OAuthError('field_invalid', { parameter: toShownName(unknown ?? issue?.path[0]) })
  }
  const { association_token, accepted_documents = [], ...received } = parsed.data
  if (received.access_token === undefined && received.id_token === undefined)
    throw new OAuthError('parameter_missing', { parameter: 'id_token or access_token' })
  return { received, association_token, accepted_documents }
}

/** The name of a field in a text; it is not repeated if it could be anything else than a name. */
function toShownName(name: PropertyKey | undefined): string {
  return typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : 'The body'
}
