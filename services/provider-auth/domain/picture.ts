import { limits } from '#contracts'

/** A picture as it is stored. */
export interface Picture {
  readonly content: Buffer
  readonly type: 'image/png' | 'image/jpeg'
}

/** Decodes a data URL; undefined if it is no PNG or JPEG, by its first bytes too (PNG 5.2, JFIF), or is too large. */
export function decodePicture(dataUrl: string): Picture | undefined {
  const [, type, base64 = ''] = /^data:image\/(png|jpeg);base64,(.+)$/s.exec(dataUrl) ?? []
  const content = Buffer.from(base64, 'base64')
  if (content.length > limits.picture_bytes) return undefined
  const start = content.subarray(0, 8).toString('latin1')
  if (type === 'png' && start === '\x89PNG\r\n\x1a\n') return { content, type: 'image/png' }
  return type === 'jpeg' && start.startsWith('\xff\xd8\xff') ? { content, type: 'image/jpeg' } : undefined
}

export function toDataUrl({ content, type }: Picture): string {
  return `data:${type};base64,${content.toString('base64')}`
}
