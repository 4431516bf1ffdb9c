const maxLength = 60

/** Normalizes the name that an end user entered: trimmed, single spaces, Unicode form NFC. */
export function parseName(typed: string | undefined): { name: string } | { problem: string } {
  const name = (typed ?? '').normalize('NFC').trim().replace(/\s+/g, ' ')
  if (name === '') return { problem: 'Enter a name to sign in with.' }
  if (name.length > maxLength) return { problem: `Enter a name of at most ${maxLength} characters.` }
  if (/\p{Cc}/u.test(name)) return { problem: 'Enter a name without control characters.' }
  return { name }
}
