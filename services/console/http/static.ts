import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Middleware } from 'koa'
import { type Context, type RequestState, readStaticFile, type StaticFile } from '#http'
import type { Deps } from '../deps.ts'
import { readSessionToken } from './authenticate.ts'

/** The console's pages, and those before sign-in, which are a small document of their own. */
const documents = { console: '/index.html', signIn: '/sign-in.html' } as const
/** The targets of links in mails, and of providers after an error. They need no session, and can be opened with one. */
const signInPaths: ReadonlySet<string> = new Set(['/sign-in', '/notices/confirm'])

/** Replaced in the documents. */
const placeholders = { nonce: '{{csp_nonce}}', documentationUrl: '{{documentation_url}}' } as const

/**
 * Serves the built web console from memory. Files under `assets/` have a content hash in their names and are cached for a year. Every
 * other path returns a document: without a session's cookie that of the sign-in, otherwise the console, which has its own router. The
 * scripts of each check the session itself. Only files of the build can be requested.
 */
export function serveStaticFiles(
  directory: string,
  deps: Pick<Deps, 'consoleUrl' | 'documentationUrl'>,
): Middleware<RequestState> {
  let files = readFiles(directory)
  const isDocument = (path: string) => path === documents.console || path === documents.signIn
  return async (ctx, next) => {
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.path.startsWith('/admin/')) return next()
    // The console may have been built since the start.
    if (!files.has(documents.console)) files = readFiles(directory)
    const file = files.get(ctx.path)
    if (file === undefined || isDocument(ctx.path)) {
      if (looksLikeFile(ctx.path) && !isDocument(ctx.path)) return next()
      ctx.state.route = 'page'
      const page = files.get(chooseDocument(ctx, deps))
      ctx.type = 'text/html; charset=utf-8'
      if (page === undefined) {
        ctx.status = 503
        ctx.body = notBuiltPage
        return
      }
      const nonce = randomBytes(16).toString('base64')
      ctx.set('Cache-Control', 'no-cache')
      ctx.vary('Cookie')
      ctx.set('Content-Security-Policy', createPolicy(nonce))
      ctx.body = page.body
        .toString('utf8')
        .replaceAll(placeholders.nonce, nonce)
        .replace(placeholders.documentationUrl, () => escapeAttribute(deps.documentationUrl))
      return
    }
    ctx.state.route = 'asset'
    await file.send(ctx, ctx.path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
  }
}

function chooseDocument(ctx: Context, deps: Pick<Deps, 'consoleUrl'>): string {
  if (signInPaths.has(ctx.path) || readSessionToken(ctx, deps) === undefined) return documents.signIn
  return documents.console
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
  const paths = entries
    .map((entry) => join(entry.parentPath, entry.name))
    // What the build says about itself, such as versions of packages.
    .filter((path) => !path.startsWith(join(directory, '.vite')))
  return new Map(
    paths.map((path) => [`/${relative(directory, path).split(sep).join('/')}`, readStaticFile(path)] as const),
  )
}
