import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Middleware } from 'koa'
import type { RequestState } from '#http'

/** Replaced in `index.html` by the answer's nonce, wherever the build put it. */
const nonce_place = '{{csp_nonce}}'

/** Somebody waits for it: the best quality takes twenty times as long for a twelfth less. */
const brotli_quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const compress = promisify(brotliCompress)
const compressible = new Set(['.html', '.js', '.css', '.svg', '.json', '.map', '.txt', '.webmanifest'])

interface File {
  readonly type: string
  readonly body: Buffer
  /** Smaller, for browsers that can read it (RFC 7932); made when first asked for. */
  readonly brotli: () => Promise<Buffer> | undefined
}

/**
 * Serves the built web console from memory: what is under `assets/` has the hash of its content in its name and is kept for a
 * year; every other address is the page itself, which knows its own addresses. Nothing but what the build made can be asked for.
 */
export function staticFiles(directory: string): Middleware<RequestState> {
  let files = readFiles(directory)
  return async (ctx, next) => {
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.path.startsWith('/admin/')) return next()
    // It may have been built since.
    if (!files.has('/index.html')) files = readFiles(directory)
    const file = files.get(ctx.path)
    if (file === undefined || ctx.path === '/index.html') {
      if (looksLikeFile(ctx.path) && ctx.path !== '/index.html') return next()
      ctx.state.route = 'page'
      const page = files.get('/index.html')
      ctx.type = 'text/html; charset=utf-8'
      if (page === undefined) {
        ctx.status = 503
        ctx.body = unbuilt
        return
      }
      const nonce = randomBytes(16).toString('base64')
      ctx.set('Cache-Control', 'no-cache')
      ctx.set('Content-Security-Policy', policyOf(nonce))
      ctx.body = page.body.toString('utf8').replaceAll(nonce_place, nonce)
      return
    }
    ctx.state.route = 'asset'
    ctx.set('Cache-Control', ctx.path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    ctx.type = file.type
    ctx.vary('Accept-Encoding')
    const smaller = ctx.acceptsEncodings('br', 'identity') === 'br' ? file.brotli() : undefined
    if (smaller !== undefined) ctx.set('Content-Encoding', 'br')
    ctx.body = (await smaller) ?? file.body
  }
}

function looksLikeFile(path: string): boolean {
  return path.slice(path.lastIndexOf('/')).includes('.')
}

/**
 * Scripts and styles of our own alone; `nonce` is for the style elements that the component library makes while it runs.
 * Nothing may put the page into a frame.
 */
function policyOf(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `manifest-src 'self'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `base-uri 'none'`,
  ].join('; ')
}

const unbuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Console</title>
<h1>The web console is not built yet</h1>
<p>Run <code>npm run build:console</code> and load this page again. The Admin API at <code>/admin/v1</code> works without it.</p>
</html>
`

function readFiles(directory: string): ReadonlyMap<string, File> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return new Map()
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map((entry): [string, File] => {
      const path = join(entry.parentPath, entry.name)
      const body = readFileSync(path)
      const type = extname(path)
      let brotli: Promise<Buffer> | undefined
      const make = () => {
        brotli ??= compress(body, brotli_quality)
        return brotli
      }
      return [
        `/${relative(directory, path).split(sep).join('/')}`,
        { type, body, brotli: compressible.has(type) ? make : () => undefined },
      ]
    }),
  )
}
