import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { type ImportTest, openImportTest } from './import-harness.ts'

const page = readFileSync('docs/use/guides/migrate-users.md', 'utf8')
const examples = [...page.matchAll(/^### (.+)\n(?:(?!^###)[\s\S])*?^```(?:json|csv)\n([\s\S]*?)^```/gm)]

let opened: ImportTest
beforeAll(async () => {
  opened = await openImportTest()
  return opened[Symbol.asyncDispose]
})

test('the page has an example of each format', () => {
  expect(examples.map(([, title]) => title)).toEqual([
    'Auth0',
    'Firebase Authentication',
    'Keycloak',
    'Amazon Cognito',
    'SAP Customer Data Cloud',
    'Spreadsheets',
  ])
})

test.each(examples.map(([, title = '', content = '']) => [title, content]))(
  'the example of %s is imported with its accounts',
  async (_, content) => {
    const { code, out, err } = await opened.importText(content, ['--dry-run'])
    expect([code, out, err]).toEqual([0, expect.stringContaining('created: 1,'), expect.not.stringContaining('mitted')])
  },
)
