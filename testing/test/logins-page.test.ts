import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LoginLogEntry, LoginResult, loginOnlyExplanations } from '#admin-api'
import { table, withGenerated } from '#testing'

const page = readFileSync('docs/use/logins.md', 'utf8')

test('docs/use/logins.md contains the reasons of logins', async () => {
  const rows = Object.entries(loginOnlyExplanations).map(([reason, text]) => [`\`${reason}\``, text])
  const reasons = table(['`reason`', 'What happened, and what to do'], rows)
  await expect(withGenerated(page, { reasons })).toMatchFileSnapshot('../../docs/use/logins.md')
})

test('docs/use/logins.md names every result and every field of a login', () => {
  const names = [...LoginResult.options, ...Object.keys(LoginLogEntry.shape).filter((name) => name !== 'ended_at')]
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
