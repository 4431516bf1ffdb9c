import { type PageResponse, pageHeaders } from '#http'

/**
 * Allows the form's response to redirect to the provider and then to the callback. Chromium checks every redirect after
 * a form against the page's `form-action`, and we do not know where the provider redirects to.
 */
export function setFormRedirectPolicy(ctx: PageResponse, ...callbacks: string[]): void {
  const schemes = new Set(['http:', 'https:', ...callbacks.map((callback) => new URL(callback).protocol)])
  setPolicy(ctx, `form-action 'self' ${[...schemes].join(' ')}`)
}

/**
 * Allows a form to the application's origin and nowhere else, and the one script that submits it.
 *
 * @param scriptHash SHA-256 of the script, as base64
 */
export function setFormPostPolicy(ctx: PageResponse, action: string, scriptHash: string): void {
  setPolicy(ctx, `form-action ${toSource(new URL(action))}; script-src 'sha256-${scriptHash}'`)
}

/** The origin as CSP source. There are no sources for IPv6 addresses (CSP Level 3, 2.3.1), only for their scheme. */
function toSource({ origin, protocol, hostname }: URL): string {
  return hostname.startsWith('[') ? protocol : origin
}

/** Sets the policy of our pages with another `form-action`. */
function setPolicy(ctx: PageResponse, formAction: string): void {
  const policy = pageHeaders['Content-Security-Policy']
  ctx.set('Content-Security-Policy', policy.replace("form-action 'self'", formAction))
}
