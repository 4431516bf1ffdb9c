import { expect, test } from 'vitest'
import { findMessageProblem } from './commit-message.ts'

test.each([
  ['a subject and a body', 'Reject unknown redirect URIs\n\nThey were ignored.\n'],
  ['comments of Git', 'Reject unknown redirect URIs\n\nThey were ignored.\n# On branch main\n'],
  ['a revert', 'Revert "Reject unknown redirect URIs"'],
  ['a merge', "Merge branch 'main' into redirects"],
])('%s is accepted', (_, message) => {
  expect(findMessageProblem(message)).toBeUndefined()
})

test.each([
  ['a long subject', `${'x'.repeat(73)}\n\nWhy.`, 'has a subject of 73 characters'],
  ['a subject of two lines', 'Reject unknown\nredirect URIs', 'has no empty line after its subject'],
  ['no body', 'Reject unknown redirect URIs\n', 'has no body'],
  ['no body of a commit about merges', 'Merge users by their primary key', 'has no body'],
  ['comments only', 'Reject unknown redirect URIs\n\n# On branch main\n', 'has no body'],
])('%s is rejected, with what to do', (_, message, problem) => {
  expect(findMessageProblem(message)).toContain(problem)
})
