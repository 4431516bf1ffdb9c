const longest_name = 60

/** The name as it counts: without spaces around it and of one Unicode form. */
export function readName(typed: string | undefined): { name: string } | { problem: string } {
  const name = (typed ?? '').normalize('NFC').trim().replace(/\s+/g, ' ')
  if (name === '') return { problem: 'Type a name to sign in with.' }
  if (name.length > longest_name) return { problem: `Type a name of at most ${longest_name} characters.` }
  if (/\p{Cc}/u.test(name)) return { problem: 'Type a name without control characters.' }
  return { name }
}
