import { z } from 'zod'
import { responseModes } from './response-mode.ts'
import { requestableScopes } from './scopes.ts'

/** A validated authorization request; absent parameters are null. */
export const AuthorizationRequest = z.object({
  client_id: z.string(),
  redirect_uri: z.string(),
  response_type: z.enum(['code', 'id_token']),
  /** Null: the default of the response type. */
  response_mode: z.enum(responseModes).nullable().default(null),
  scope: z.array(z.enum(requestableScopes)),
  state: z.string().nullable().default(null),
  nonce: z.string().nullable().default(null),
  code_challenge: z.string().nullable().default(null),
  code_challenge_method: z.enum(['plain', 'S256']).nullable().default(null),
  /** In seconds. */
  max_age: z.int().nonnegative().nullable().default(null),
  /** The end user must authenticate again: `prompt=login`. */
  reauthenticate: z.boolean().default(false),
  /** The user of `id_token_hint`; another user's login is rejected. */
  hinted_identifier: z.string().nullable().default(null),
})
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>
