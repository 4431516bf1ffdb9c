import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBase, findChangedFiles, listCommitMessages } from './changed-files.ts'

test('a submission has the files and messages since its base, and none without a base', async ({ onTestFinished }) => {
  const directory = await mkdtemp(join(tmpdir(), 'social-login-verdict-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const git = (...command: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...command], {
      cwd: directory,
      encoding: 'utf8',
    }).trim()
  const commit = async (file: string) => {
    await writeFile(join(directory, file), file)
    git('add', file)
    git('commit', '--quiet', '-m', `Add ${file}`, '-m', 'It was missing.')
    return git('rev-parse', 'HEAD')
  }
  git('init', '--quiet')
  const base = await commit('first')
  for (const file of ['second', 'third']) await commit(file)
  expect(findBase(directory, base)).toBe(base)
  expect(findChangedFiles(directory, base)).toEqual(['second', 'third'])
  expect(listCommitMessages(directory, base).map((message) => message.trim())).toEqual([
    'Add third\n\nIt was missing.',
    'Add second\n\nIt was missing.',
  ])
  const head = git('rev-parse', 'HEAD')
  expect(findBase(directory, head)).toBeUndefined()
  expect([findChangedFiles(directory, undefined), listCommitMessages(directory, undefined)]).toEqual([undefined, []])
})
