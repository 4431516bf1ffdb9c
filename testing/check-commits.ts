import { readFileSync } from 'node:fs'
import { root } from '../deploy/local/settings.ts'
import { listCommitMessages } from './verdict/changed-files.ts'
import { findMessageProblem } from './verdict/commit-message.ts'

/**
 * Checks the messages of all commits of a submission, or as a hook of Git the message in a file:
 * `git config core.hooksPath .githooks`.
 */
const [file] = process.argv.slice(2)
const messages = file === undefined ? listCommitMessages(root) : [readFileSync(file, 'utf8')]
for (const message of messages) {
  const problem = findMessageProblem(message)
  if (problem === undefined) continue
  console.error(problem)
  process.exitCode = 1
}
