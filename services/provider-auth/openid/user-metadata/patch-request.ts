import { MetadataPart } from '#contracts'
import { type Context, MalformedJson, readJson } from '#http'
import { OAuthError } from '../../http/oauth-error.ts'

/** The media types of a patch (RFC 7396); the second is what programs send that cannot set another one. */
export const patchMediaTypes = ['application/merge-patch+json', 'application/json'] as const

/**
 * Reads the body as a patch of `user_metadata` (RFC 7396).
 *
 * @throws OAuthError
 */
export async function readMetadataPatch(ctx: Context): Promise<MetadataPart> {
  const type = ctx.is(...patchMediaTypes)
  if (type === false) throw new OAuthError('patch_type_unsupported')
  // No change is a mistake of the application: a patch without members is `{}`.
  if (type === null || ctx.request.length === 0) throw createFormError()
  const patch = MetadataPart.safeParse(await readBody(ctx))
  if (patch.success) return patch.data
  const [issue] = patch.error.issues
  if (issue?.code !== 'custom') throw createFormError()
  throw new OAuthError('patch_invalid', { parameter: `user_metadata ${issue.message}.` })
}

function createFormError(): OAuthError {
  return new OAuthError('patch_invalid', { parameter: 'Send a JSON object.' })
}

async function readBody(ctx: Context): Promise<unknown> {
  try {
    return await readJson(ctx.req, { lossless: true, mediaTypes: patchMediaTypes })
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error
    throw new OAuthError('patch_invalid', { parameter: error.message, cause: error })
  }
}

/**
 * The revision of `If-Match` (RFC 9110 13.1.1); undefined without a condition. A weak tag is accepted too, because proxies that
 * compress responses make tags weak, and the revision changes with every change.
 *
 * @throws OAuthError
 */
export function readRevision(ctx: Context): number | undefined {
  const condition = ctx.get('If-Match').trim()
  if (condition === '' || condition === '*') return undefined
  const [, tag] = /^(?:W\/)?"([^"]*)"$/.exec(condition) ?? []
  if (tag === undefined) throw new OAuthError('if_match_invalid')
  // Metadata has no other tags.
  if (!/^\d{1,9}$/.test(tag)) throw new OAuthError('metadata_changed')
  return Number(tag)
}
