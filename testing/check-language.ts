import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isGeneric, words } from './language.ts'

/**
 * Part of `npm run check`: rejects words of `language.ts` in the repository's text, and names that two files export for
 * different things. docs/glossary.md has the words to use.
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
  for (const { pattern, use, allowed = [] } of words)
    if (!allowed.some((path) => file.startsWith(path)))
      for (const { index, 0: word } of text.matchAll(pattern))
        problems.push(`${file}:${text.slice(0, index).split('\n').length}: "${word}": use ${use}.`)

const exporters = new Map<string, Set<string>>()
for (const [file, text] of texts)
  if (/\.tsx?$/.test(file) && !/\.test\.ts$|^loadtest\/scripts\//.test(file))
    for (const [, name = ''] of text.matchAll(
      /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
    ))
      exporters.set(name, (exporters.get(name) ?? new Set()).add(file))
for (const [name, exporting] of exporters)
  if (exporting.size > 1 && !isGeneric(name, [...exporting]))
    problems.push(`${name} is exported by ${[...exporting].join(' and ')}: use different names.`)

for (const problem of problems) console.error(problem)
if (problems.length > 0) console.error(`\n${problems.length} problems. docs/glossary.md has the words to use.`)
process.exitCode = problems.length === 0 ? 0 : 1

function read(file: string): [string, string][] {
  try {
    return [[file, readFileSync(file, 'utf8')]]
  } catch {
    return [] // deleted and not committed yet
  }
}
