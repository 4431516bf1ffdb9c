import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Middleware } from 'koa'
import { type RequestState, readStaticFile, type StaticFile } from '#http'

/** Replaced in `index.html`. */
const placeholders = { nonce: '{{csp_nonce}}', documentationUrl: '{{documentation_url}}' } as const

/**
 * Serves the built web console from memory. Files under `assets/` have a content hash in their names and are cached for a year. Every
 * other path returns the page, which has its own router. Only files of the build can be requested.
 *
 * @param documentationUrl where the documentation is published; empty: nowhere
 */
export function serveStaticFiles(directory: string, documentationUrl: string): Middleware<RequestState> {
  let files = readFiles(directory)
  return async (ctx, next) => {
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.path.startsWith('/admin/')) return next()
    // The console may have been built since the start.
    if (!files.has('/index.html')) files = readFiles(directory)
    const file = files.get(ctx.path)
    if (file === undefined || ctx.path === '/index.html') {
      if (looksLikeFile(ctx.path) && ctx.path !== '/index.html') return next()
      ctx.state.route = 'page'
      const page = files.get('/index.html')
      ctx.type = 'text/html; charset=utf-8'
      if (page === undefined) {
        ctx.status = 503
        ctx.body = notBuiltPage
        return
      }
      const nonce = randomBytes(16).toString('base64')
      ctx.set('Cache-Control', 'no-cache')
      ctx.set('Content-Security-Policy', createPolicy(nonce))
      ctx.body = page.body
        .toString('utf8')
        .replaceAll(placeholders.nonce, nonce)
        .replace(placeholders.documentationUrl, () => escapeAttribute(documentationUrl))
      return
    }
    ctx.state.route = 'asset'
    await file.send(ctx, ctx.path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
  }
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}

function looksLikeFile(path: string): boolean {
  return path.slice(path.lastIndexOf('/')).includes('.')
}

/**
 * Content Security Policy: only our own scripts and styles; the nonce is for style elements that the component library creates at run
 * time. Framing is not allowed.
 */
function createPolicy(nonce: string): string {
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

const notBuiltPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Console</title>
<h1>The web console is not built yet</h1>
<p>Run <code>npm run build:console</code> and load this page again. The Admin API at <code>/admin/v1</code> works without it.</p>
</html>
`

function readFiles(directory: string): ReadonlyMap<string, StaticFile> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return new Map()
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    paths.map((path) => [`/${relative(directory, path).split(sep).join('/')}`, readStaticFile(path)] as const),
  )
}
