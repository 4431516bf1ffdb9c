/**
 * How a response reaches the application: in the query or fragment of the redirect (OAuth 2.0 Multiple Response Type
 * Encoding Practices 2.1), or in a form that the browser posts (OAuth 2.0 Form Post Response Mode 2).
 */
export const responseModes = ['query', 'fragment', 'form_post'] as const
export type ResponseMode = (typeof responseModes)[number]

/** The response mode of a request that names none, also for an unknown response type. */
export function getDefaultResponseMode(responseType: string | undefined): 'query' | 'fragment' {
  return responseType === 'id_token' ? 'fragment' : 'query'
}
