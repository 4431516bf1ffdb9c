import type { Knex } from 'knex'
import { type Look, limits, type RejectedField, themePictures } from '#contracts'
import { findPicture, insertPicture } from './site-looks.ts'

const dataUrl = /^data:(image\/(?:png|jpeg));base64,(.+)$/s

/**
 * Stores the pictures of a look that are data URLs, in the transaction of the change.
 *
 * @returns the look with the IDs of its pictures, or the fields of pictures that are unknown, too large or not of their type
 */
export async function storePictures(
  trx: Knex.Transaction,
  site: number,
  look: Look,
): Promise<{ readonly look: Look; readonly rejected: readonly RejectedField[] }> {
  const theme = { ...look.theme }
  const rejected: RejectedField[] = []
  for (const name of themePictures) {
    const value = theme[name]
    if (value === null) continue
    const field = `theme.${name}`
    const [, type, base64] = dataUrl.exec(value) ?? []
    if (type === undefined || base64 === undefined) {
      if ((await findPicture(trx, value))?.site !== site) rejected.push({ field, reason: 'is no picture of this site' })
      continue
    }
    const content = Buffer.from(base64, 'base64')
    if (content.length > limits.picture_bytes)
      rejected.push({ field, reason: `is larger than ${limits.picture_bytes / 1_000} kB` })
    else if (type !== findType(content)) rejected.push({ field, reason: `is no ${type}` })
    else theme[name] = await insertPicture(trx, { site, content, type })
  }
  return { look: { ...look, theme }, rejected }
}

/** The type by the first bytes (PNG 5.2, JFIF). */
function findType(content: Buffer): 'image/png' | 'image/jpeg' | undefined {
  if (content.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n') return 'image/png'
  return content.subarray(0, 3).toString('latin1') === '\xff\xd8\xff' ? 'image/jpeg' : undefined
}
