import { fileURLToPath } from 'node:url'
import { type Context, createPages, pageHeaders } from '#http'

/** Renders the simulator's pages. */
export interface Render {
  readonly page: (
    ctx: Context,
    status: number,
    page: 'home' | 'scenarios' | 'sign-in' | 'form-post' | 'applications' | 'refusal',
    data: object,
  ) => void
  /** A page of one heading and one sentence, for what cannot be redirected to an application. */
  readonly refusal: (ctx: Context, status: number, refusal: Refusal) => void
  /** Responds to an unknown address or a failure: with a page for a browser, JSON for a program. */
  readonly failure: (ctx: Context, status: number) => void
}

export interface Refusal {
  readonly heading: string
  readonly message: string
  /** The provider whose page it is; by default, it is the simulator's own. */
  readonly provider?: { readonly name: string; readonly title: string }
}

const failures: Record<number, string> = {
  400: 'The request cannot be read: its parameters are malformed.',
  404: 'There is nothing at this address. The start page lists every address there is.',
}

/** @param url the simulator's base address; its path is the beginning of every address in a page */
export function createRender(url: string): Render {
  const base = new URL(url).pathname.replace(/\/$/, '')
  const pages = createPages(fileURLToPath(new URL('pages', import.meta.url)))
  const page: Render['page'] = (ctx, status, name, data) => pages(ctx, status, name, { base, ...data })
  const refusal: Render['refusal'] = (ctx, status, data) => page(ctx, status, 'refusal', data)
  return {
    page,
    refusal,
    failure(ctx, status) {
      const message = failures[status] ?? 'The simulator failed; its log says more.'
      if (ctx.accepts('json', 'html') === 'html') return refusal(ctx, status, { heading: `Error ${status}`, message })
      ctx.status = status
      ctx.body = { error: status === 404 ? 'not_found' : status < 500 ? 'invalid_request' : 'server_error', message }
    },
  }
}

/**
 * Lets a form's answer lead anywhere. Chromium holds every hop after a form was sent against the page's `form-action`, and
 * an application's callback goes on to addresses that the simulator cannot know.
 */
export function allowRedirectsAfterForm(ctx: Context): void {
  const policy = pageHeaders['Content-Security-Policy']
  ctx.set('Content-Security-Policy', policy.replace("form-action 'self'", "form-action 'self' http: https:"))
}

/** Posts the form of its page. */
export const formPostScript = "document.getElementById('form-post').submit()"

/** Lets a page post its form to an application by itself: by the simulator's own script alone. */
export function allowFormPost(ctx: Context): void {
  allowRedirectsAfterForm(ctx)
  ctx.set('Content-Security-Policy', `${ctx.response.get('Content-Security-Policy')}; script-src 'self'`)
}
