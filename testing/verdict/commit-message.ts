const maxSubject = 72
/** Messages that Git writes itself, and those of commits that a rebase squashes. */
const writtenByGit = /^(fixup!|squash!|amend!|Revert "|Merge (branch|commit|pull request|remote-tracking branch|tag) )/

/** What is wrong with the message of a commit, as a sentence; undefined if nothing is. Lines with `#` are Git's comments. */
export function findMessageProblem(message: string): string | undefined {
  const [subject = '', separator = '', ...body] = message
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
  const name = `The commit “${subject}”`
  if (writtenByGit.test(subject)) return undefined
  if (subject.length > maxSubject)
    return `${name} has a subject of ${subject.length} characters. Shorten it to ${maxSubject}, and move the rest to the body.`
  if (separator !== '') return `${name} has no empty line after its subject. Add one.`
  return body.join('').trim() === '' ? `${name} has no body. Say why the change is needed.` : undefined
}
