import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Context } from './app.ts'

/** The first response waits for the compression: the best quality takes twenty times as long for a twelfth less. */
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const compress = promisify(brotliCompress)
const compressible = new Set(['.html', '.js', '.css', '.svg', '.json', '.map', '.txt', '.webmanifest'])

/** A file in memory. */
export interface StaticFile {
  readonly body: Buffer
  /** Sends the file, compressed with Brotli (RFC 7932) if accepted, or 304 if the browser has it. */
  readonly send: (ctx: Context, cacheControl: string) => Promise<void>
}

/** Reads a file to serve. The extension decides the media type. The file is compressed once, at the first request. */
export function readStaticFile(path: string): StaticFile {
  const body = readFileSync(path)
  const type = extname(path)
  const etag = createHash('sha256').update(body).digest('base64url')
  let brotli: Promise<Buffer> | undefined
  return {
    body,
    async send(ctx, cacheControl) {
      ctx.set('Cache-Control', cacheControl)
      ctx.type = type
      ctx.vary('Accept-Encoding')
      const compressed = compressible.has(type) && ctx.acceptsEncodings('br', 'identity') === 'br'
      ctx.etag = compressed ? `${etag}-br` : etag
      // Koa compares the ETag only for a successful response.
      ctx.status = 200
      if (ctx.fresh) {
        ctx.status = 304
        return
      }
      if (compressed) {
        ctx.set('Content-Encoding', 'br')
        brotli ??= compress(body, brotliQuality)
      }
      ctx.body = compressed ? await brotli : body
    },
  }
}
