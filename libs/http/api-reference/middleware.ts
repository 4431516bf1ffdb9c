import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Middleware } from 'koa'
import type { Context, RequestState } from '../app.ts'
import { pageHeaders } from '../headers.ts'
import { createPages } from '../pages.ts'
import { readStaticFile, type StaticFile } from '../static-file.ts'

interface OpenApiDocument {
  readonly info: { readonly title: string; readonly description: string }
  readonly externalDocs?: object | undefined
  readonly security?: readonly object[]
}

interface ApiReference {
  /** Path of the page, such as `/docs`; its files are below it. */
  readonly path: string
  /** The OpenAPI document with `servers`. Samples use its first security requirement. */
  readonly openapi: OpenApiDocument
  /** Path where the document itself is served. */
  readonly openapiPath: string
  /** Markdown that follows the description of the API. */
  readonly guide?: string
}

/** Allows scripts and requests of the own origin only. Scalar sets inline style attributes, which no nonce can allow. */
const headers = {
  ...pageHeaders,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
}

const packageFile = join(import.meta.dirname, '../../../node_modules/@scalar/api-reference/dist/browser/standalone.js')
/** The container image has the file without the package, which is a development dependency. */
const imageFile = join(import.meta.dirname, 'scalar.js')
const pages = createPages(import.meta.dirname)

/** Serves an interactive reference of an API: its operations, samples in many languages and test requests, by Scalar. */
export function apiReference(reference: ApiReference): Middleware<RequestState> {
  const { path, openapi, openapiPath, guide = '' } = reference
  const { title, description } = openapi.info
  const contentPath = `${path}/content.json`
  const content = JSON.stringify({ ...openapi, info: { ...openapi.info, description: description + guide } })
  const sendContent = (ctx: Context) => {
    ctx.type = 'application/json; charset=utf-8'
    ctx.body = content
  }
  const responses = new Map<string, (ctx: Context) => unknown>([
    [path, (ctx) => pages(ctx, 200, 'page', { title, path, contentPath, openapiPath, testRequests: true })],
    [contentPath, sendContent],
    [`${path}/scalar.js`, sendFile(existsSync(imageFile) ? imageFile : packageFile)],
    [`${path}/start.js`, sendFile(join(import.meta.dirname, 'start.js'))],
    [`${path}/icon.svg`, sendFile(join(import.meta.dirname, 'icon.svg'))],
  ])
  return async (ctx, next) => {
    const respond = responses.get(ctx.path)
    if (respond === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    ctx.state.route = ctx.path
    ctx.set(headers)
    await respond(ctx)
  }
}

/** Reads the file at the first request: few processes ever serve it. */
function sendFile(path: string): (ctx: Context) => Promise<void> {
  let file: StaticFile | undefined
  return (ctx) => {
    file ??= readStaticFile(path)
    return file.send(ctx, 'no-cache')
  }
}
