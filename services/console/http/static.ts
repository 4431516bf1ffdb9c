import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Middleware } from 'koa'
import { type RequestState, readStaticFile, type StaticFile } from '#http'

/** Replaced in `index.html` by the answer's nonce, wherever the build put it. */
const noncePlace = '{{csp_nonce}}'

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
      ctx.body = page.body.toString('utf8').replaceAll(noncePlace, nonce)
      return
    }
    ctx.state.route = 'asset'
    await file.send(ctx, ctx.path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
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

function readFiles(directory: string): ReadonlyMap<string, StaticFile> {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return new Map()
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    paths.map((path) => [`/${relative(directory, path).split(sep).join('/')}`, readStaticFile(path)] as const),
  )
}
