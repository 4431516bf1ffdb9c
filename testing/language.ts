interface Word {
  readonly pattern: RegExp
  readonly use: string
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

/** Phrases in which a word is right, with the reason. */
export const exceptions: readonly RegExp[] = [
  /constant arrival rate|(constant|ramping)-arrival-rate/g, // k6
  /'nobody'|User nobody|nobody's -2/g, // the Unix user
  /outcome="begun"|\/insight\/(logins|calls)|`insight …`/g, // earlier names in the changelog
]

/** Names that every service defines for itself, with the same meaning. */
const ofEachService = new Set([
  'Config',
  'readConfig',
  'Deps',
  'ServiceClients',
  'busInterface',
  'handlers',
  'migrations',
  'initial',
  'service',
  'MessageParameters',
])

/** Directories in which a name means the procedure, type or language that other directories name as well. */
const ofTheContract =
  /^(libs\/contracts|services\/[\w-]+\/(handlers|operations)|services\/console\/web\/(admin\/types|texts\/(en|ja)))/
/** Test helpers of one module, and an example application. */
const separate = /\/test\/|^testing\/|^docs\/examples\//

/** Whether the files that export a name mean the same thing by it, or belong to different programs. */
export function isShared(name: string, files: readonly string[]): boolean {
  const joined = files.filter((file) => !separate.test(file))
  return ofEachService.has(name) || joined.length < 2 || joined.every((file) => ofTheContract.test(file))
}
