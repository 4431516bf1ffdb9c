import { fileURLToPath } from 'node:url'
import { type Context, createPages, pageHeaders } from '#http'

/** Renders the simulator's pages. */
export interface Render {
  readonly page: (
    ctx: Context,
    status: number,
    page: 'home' | 'scenarios' | 'sign-in' | 'form-post' | 'applications' | 'error',
    data: object,
  ) => void
  /** An error page with a heading and a message, for errors that cannot be redirected to an application. */
  readonly errorPage: (ctx: Context, status: number, errorPage: ErrorPage) => void
  /** Responds to an unknown address or a failure: with a page for a browser, JSON for a program. */
  readonly failure: (ctx: Context, status: number) => void
}

export interface ErrorPage {
  readonly heading: string
  readonly message: string
  /** The provider that the page belongs to; the simulator by default. */
  readonly provider?: { readonly name: string; readonly title: string }
}

const errorMessages: Record<number, string> = {
  400: 'The parameters of the request are malformed.',
  404: 'Not found. The start page lists all addresses.',
}

/** @param url the simulator's base URL; its path is the prefix of every link in a page */
export function createRender(url: string): Render {
  const base = new URL(url).pathname.replace(/\/$/, '')
  const pages = createPages(fileURLToPath(new URL('pages', import.meta.url)))
  const page: Render['page'] = (ctx, status, name, data) => pages(ctx, status, name, { base, ...data })
  const errorPage: Render['errorPage'] = (ctx, status, data) => page(ctx, status, 'error', data)
  return {
    page,
    errorPage,
    failure(ctx, status) {
      const message = errorMessages[status] ?? 'Internal error of the simulator. See its log for details.'
      if (ctx.accepts('json', 'html') === 'html') return errorPage(ctx, status, { heading: `Error ${status}`, message })
      ctx.status = status
      ctx.body = { error: status === 404 ? 'not_found' : status < 500 ? 'invalid_request' : 'server_error', message }
    },
  }
}

/**
 * Allows the form's response to redirect anywhere. Chromium checks every redirect after a form against the page's
 * `form-action`, and the simulator does not know where an application's callback redirects to.
 */
export function allowRedirectsAfterForm(ctx: Context): void {
  const policy = pageHeaders['Content-Security-Policy']
  ctx.set('Content-Security-Policy', policy.replace("form-action 'self'", "form-action 'self' http: https:"))
}

/** Submits the form of its page. */
export const formPostScript = "document.getElementById('form-post').submit()"

/** Allows a page to submit its form to an application with the simulator's own script. */
export function allowFormPost(ctx: Context): void {
  allowRedirectsAfterForm(ctx)
  ctx.set('Content-Security-Policy', `${ctx.response.get('Content-Security-Policy')}; script-src 'self'`)
}
