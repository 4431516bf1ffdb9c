import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readQuickStart } from '../page.ts'

const index = readFileSync('docs/use/quick-starts/README.md', 'utf8')
const rows = [...index.matchAll(/^\| \[[^\]]+\]\((.+)\.md\) \| .* \| (.*) \|$/gm)].map(
  ([, name = '', tested = '']) => ({
    name,
    versions: tested.match(/\d+(?:\.\d+)+[\w.-]*/g) ?? [],
  }),
)
const pages = globSync('docs/use/quick-starts/*.md').filter((file) => basename(file) !== 'README.md')

test('the index lists every quick start', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual(pages.map((file) => basename(file, '.md')).sort())
})

describe.each(rows)('quick start $name', ({ name, versions }) => {
  const file = `docs/use/quick-starts/${name}.md`

  test('pins the versions of the index', () => {
    const pinned = [...readQuickStart(file).files.values()].join('\n')
    expect(versions).not.toEqual([])
    for (const version of versions) expect(pinned).toContain(version)
  })

  test('names every file above its code, because Git hosts do not show the titles of code blocks', () => {
    const named = [...readFileSync(file, 'utf8').matchAll(/^`(.+)`:\n\n```\w+ \[(.+)\]$/gm)]
    expect(named.map(([, name]) => name)).toEqual([...readQuickStart(file).files.keys()])
    for (const [, name, title] of named) expect(name).toBe(title)
  })

  test('registers a client that must use PKCE, or a webhook, and has files for the placeholders of its values', () => {
    const { registration, files, requirements, sending } = readQuickStart(file)
    expect(registration).toContain(sending === undefined ? '--pkce S256' : 'webhooks create')
    const text = [...files.values()].join('\n')
    for (const placeholder of sending === undefined ? ['<client_id>', '<client_secret>'] : ['<secret>'])
      expect(text).toContain(placeholder)
    expect(requirements.size).toBeGreaterThan(0)
  })
})
