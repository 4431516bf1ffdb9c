const longestName = 60

/** The name that an end user typed, normalized: trimmed, single spaces, Unicode form NFC. */
export function readName(typed: string | undefined): { name: string } | { problem: string } {
  const name = (typed ?? '').normalize('NFC').trim().replace(/\s+/g, ' ')
  if (name === '') return { problem: 'Type a name to sign in with.' }
  if (name.length > longestName) return { problem: `Type a name of at most ${longestName} characters.` }
  if (/\p{Cc}/u.test(name)) return { problem: 'Type a name without control characters.' }
  return { name }
}
