import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { exceptions, isShared, words } from './language.ts'

/**
 * Part of `npm run check`: rejects words of `language.ts` in the repository's text, and names that two files export for
 * different things. docs/build/glossary.md has the words to use.
 */
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter(
    (file) =>
      /\.(ts|tsx|js|eta|css|md|yaml|tpl|json|sh|txt|mjs)$/.test(file) && !/package-lock|language\.ts$/.test(file),
  )
const texts = new Map(files.flatMap((file) => read(file)))
const problems: string[] = []

for (const [file, text] of texts)
  for (const { pattern, use } of words)
    for (const { index, 0: word } of withoutExceptions(text).matchAll(pattern))
      problems.push(`${file}:${text.slice(0, index).split('\n').length}: "${word}": use ${use}.`)

const exporters = new Map<string, Set<string>>()
for (const [file, text] of texts)
  if (/\.tsx?$/.test(file) && !/\.test\.ts$|^loadtest\/scripts\//.test(file))
    for (const [, name = ''] of text.matchAll(
      /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
    ))
      exporters.set(name, (exporters.get(name) ?? new Set()).add(file))
for (const [name, exporting] of exporters)
  if (exporting.size > 1 && !isShared(name, [...exporting]))
    problems.push(`${name} is exported by ${[...exporting].join(' and ')}: use different names.`)

for (const problem of problems) console.error(problem)
if (problems.length > 0) console.error(`\n${problems.length} problems. docs/build/glossary.md has the words to use.`)
process.exitCode = problems.length === 0 ? 0 : 1

/** The text with exceptions blanked out, so that positions stay the same. */
function withoutExceptions(text: string): string {
  return exceptions.reduce((rest, pattern) => rest.replace(pattern, (found) => ' '.repeat(found.length)), text)
}

function read(file: string): [string, string][] {
  try {
    return [[file, readFileSync(file, 'utf8')]]
  } catch {
    return [] // deleted and not committed yet
  }
}
