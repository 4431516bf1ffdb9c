interface Word {
  readonly pattern: RegExp
  readonly use: string
}

/** Words that the glossary replaces. */
const words: readonly Word[] = [
  { pattern: /\b(told|tells?|telling)\b/gi, use: '"returns", "sends", "reports" or "shows"' },
  {
    pattern: /\b(nobody|somebody|anybody|everybody|whoever|whomever)\b/gi,
    use: '"no one", "anyone" or the role: end user, member, caller',
  },
  {
    pattern: /\b(an?|the) person\b|\bperson who\b/gi,
    use: 'the role: end user, member, administrator, operator',
  },
  { pattern: /\bwhom\b/gi, use: '"who" or another sentence' },
  { pattern: /\baway\b/gi, use: '"unavailable" or "disconnected"' },
  { pattern: /\b(anew|begun|beside|heirs?)\b/gi, use: '"again", "started", "next to" or "merged users"' },
  { pattern: /\b(stands? in for|stand-ins?)\b/gi, use: '"replaces" or "plays"' },
  { pattern: /\b(is|are|was|were|be) refused\b|\brefusals?\b/gi, use: '"rejected", "denied" or "error"' },
  { pattern: /\b(stations?|fulfils?|hears)\b/gi, use: '"bus interface", "serves" or "subscribes to"' },
  {
    pattern: /\b(constellations?|insight|arrivals?|vouched)\b/gi,
    use: '"stack", "usage", "request context" or "verified"',
  },
]

/** Phrases in which a word is right, with the reason. */
const exceptions: readonly RegExp[] = [
  /constant arrival rate|(constant|ramping)-arrival-rate/g, // k6
  /'nobody'|User nobody|nobody's -2/g, // the Unix user
  /outcome="begun"|\/insight\/(logins|calls)|`insight …`/g, // earlier names in the changelog
  /\| end user \| A person who|\| member \| A person who|\| operator \| A person who/g, // definitions of the glossary
]

/** Finds words that the glossary replaces. Returns one sentence for each, with file and line. */
export function findListedWords(file: string, text: string): string[] {
  const checked = withoutExceptions(text)
  return words.flatMap(({ pattern, use }) =>
    [...checked.matchAll(pattern)].map(
      ({ index, 0: word }) => `${file}:${text.slice(0, index).split('\n').length}: "${word}": use ${use}.`,
    ),
  )
}

/** The text with exceptions blanked out, so that positions stay the same. */
function withoutExceptions(text: string): string {
  return exceptions.reduce((rest, pattern) => rest.replace(pattern, (found) => ' '.repeat(found.length)), text)
}
