interface Word {
  readonly pattern: RegExp
  readonly use: string
  /** Paths in which the word is right, such as quotations. */
  readonly allowed?: readonly string[]
}

/** Words that the glossary replaces. */
export const words: readonly Word[] = [
  { pattern: /\b(told|tells?|telling)\b/gi, use: '"returns", "sends", "reports" or "shows"' },
  {
    pattern: /\b(nobody|somebody|whoever|whomever)\b/gi,
    use: '"no one", "anyone" or the role: end user, member, caller',
  },
  { pattern: /\bwhom\b/gi, use: '"who" or another sentence' },
  { pattern: /\baway\b/gi, use: '"unavailable" or "disconnected"' },
  { pattern: /\b(anew|begun|beside|heirs?)\b/gi, use: '"again", "started", "next to" or "merged users"' },
  { pattern: /\b(stands? in for|stand-ins?)\b/gi, use: '"replaces" or "plays"' },
  { pattern: /\b(stations?|fulfils?|hears)\b/gi, use: '"bus interface", "serves" or "subscribes to"' },
  {
    pattern: /\b(constellations?|insight|arrivals?|vouched)\b/gi,
    use: '"stack", "usage", "request context" or "verified"',
  },
]

/** Names that each service, provider, dashboard or load test script defines for itself. */
const generic = new Set([
  'Config',
  'readConfig',
  'Deps',
  'ServiceClients',
  'busInterface',
  'handlers',
  'migrations',
  'initial',
  'service',
])

/** Whether a name has the same meaning in all files that export it. */
export function isGeneric(name: string, files: readonly string[]): boolean {
  return generic.has(name) || files.length === 1
}
