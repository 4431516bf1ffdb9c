import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { findAmbiguousNames } from './exported-names.ts'
import { findListedWords } from './language.ts'

/**
 * Part of `npm run check`: rejects words of `language.ts` in the repository's text, and names that two files export for
 * different things. docs/build/glossary.md has the words to use.
 */
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter(
    (file) =>
      /\.(ts|tsx|js|eta|css|md|yaml|tpl|json|sh|txt|mjs)$/.test(file) &&
      !/package-lock|testing\/(test\/)?language(\.test)?\.ts$/.test(file),
  )
const texts = new Map(files.flatMap((file) => read(file)))
const problems = [...texts].flatMap(([file, text]) => findListedWords(file, text)).concat(findAmbiguousNames(texts))

for (const problem of problems) console.error(problem)
if (problems.length > 0) console.error(`\n${problems.length} problems. docs/build/glossary.md has the words to use.`)
process.exitCode = problems.length === 0 ? 0 : 1

function read(file: string): [string, string][] {
  try {
    return [[file, readFileSync(file, 'utf8')]]
  } catch {
    return [] // deleted and not committed yet
  }
}
