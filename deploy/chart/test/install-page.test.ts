import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../../local/settings.ts'

const chart = join(root, 'charts/social-login')
const page = readFileSync(join(root, 'docs/operate/install.md'), 'utf8')

/** Blocks of code of a language, without the indent of the list that contains them. */
function blocks(language: string): string[] {
  const all = [...page.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'))]
  return all.map(([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

test('install.md installs values that the chart checks cover', () => {
  const [, ...checked] = readFileSync(join(chart, 'ci/production.yaml'), 'utf8').split('\n')
  expect(blocks('yaml')).toEqual([checked.join('\n')])
})

interface SecretValue {
  readonly existingSecret: string
  readonly key: string
}

/** Lists the Secrets that values name, each with its key; the default is the key in values.yaml. */
function secretsIn(values: unknown, initial: unknown): SecretValue[] {
  if (typeof values !== 'object' || values === null) return []
  const inner = (from: unknown, name: string): unknown =>
    typeof from === 'object' && from ? Reflect.get(from, name) : undefined
  const named = inner(values, 'existingSecret')
  if (typeof named === 'string')
    return named === '' ? [] : [{ existingSecret: named, key: String(inner(values, 'key') ?? inner(initial, 'key')) }]
  return Object.entries(values).flatMap(([name, value]) => secretsIn(value, inner(initial, name)))
}

test('install.md creates exactly the Secrets that its values name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'social-login-readme-'))
  try {
    const kubectl = join(folder, 'kubectl')
    writeFileSync(kubectl, '#!/bin/sh\necho "$@"\n')
    chmodSync(kubectl, 0o755)
    const commands = blocks('sh').filter((text) => /^mkdir|make-secret/m.test(text))
    expect(commands).toHaveLength(2)
    writeFileSync(join(folder, 'commands'), commands.join('touch install-secrets/redis\n'))
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
    const output = execFileSync('sh', ['-e', 'commands'], { cwd: folder, env, encoding: 'utf8' })
    const created = [...output.matchAll(/create secret generic (\S+) --from-(?:literal=|file=)([\w.]+)/g)].map(
      ([, existingSecret = '', key = '']) => ({ existingSecret, key }),
    )
    const wanted = secretsIn(
      parse(readFileSync(join(chart, 'ci/production.yaml'), 'utf8')),
      parse(readFileSync(join(chart, 'values.yaml'), 'utf8')),
    )
    const byName = (secrets: readonly SecretValue[]) =>
      secrets.map(({ existingSecret, key }) => `${existingSecret} ${key}`).sort()
    expect(byName(created)).toEqual(byName(wanted))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
