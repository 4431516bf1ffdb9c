/** Headers of every answer that only a program reads. */
export const dataHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
} as const

/** Headers of every answer a browser may render: no frames, no scripts, nothing from elsewhere (RFC 9700 4.16). */
export const pageHeaders = {
  ...dataHeaders,
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const

/** The same headers, and where the service is reached by TLS the order to come by TLS alone, for a year (RFC 6797). */
export function withStrictTransportSecurity(
  headers: Readonly<Record<string, string>>,
  publicUrl: string,
): Record<string, string> {
  if (!publicUrl.startsWith('https:')) return { ...headers }
  return { ...headers, 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }
}
