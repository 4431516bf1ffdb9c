import type { Context } from '#http'

/** Basic authentication whose id and secret count as they stand, without the form-encoding of RFC 6749 2.3.1. */
export function rawBasicCredentials(ctx: Context): { client_id: string; client_secret: string } | undefined {
  const encoded = /^Basic +([\w+/]+=*)$/i.exec(ctx.get('Authorization'))?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return { client_id: text.slice(0, Math.max(colon, 0)), client_secret: text.slice(colon + 1) }
}
