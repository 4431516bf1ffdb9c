/** Headers of every response that is data. */
export const dataHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
} as const

/** Headers of every response that a browser can render: no frames, no scripts, no other origins (RFC 9700 4.16). */
export const pageHeaders = {
  ...dataHeaders,
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const

/** Adds `Strict-Transport-Security` for a year if the service uses TLS (RFC 6797). */
export function withStrictTransportSecurity(
  headers: Readonly<Record<string, string>>,
  publicUrl: string,
): Record<string, string> {
  if (!publicUrl.startsWith('https:')) return { ...headers }
  return { ...headers, 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }
}
