import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { profileFields } from '#contracts'
import { table, withGenerated } from '#testing'
import { adapters } from '../providers/index.ts'

const page = readFileSync('docs/providers.md', 'utf8')
const names = adapters.map(({ provider }) => `\`${provider}\``)
const told = (is_told: boolean) => (is_told ? '●' : '')

test('docs/providers.md tells what every adapter’s manifest says', async () => {
  const parts = { overview: overview(), fields: fields(), details: details() }
  await expect(withGenerated(page, parts)).toMatchFileSnapshot('../../../docs/providers.md')
})

function overview(): string {
  const rows = adapters.map(({ provider, manifest: { service, protocol, id_token_alg, access_token } }) => [
    `\`${provider}\``,
    service,
    protocol,
    id_token_alg ?? 'none',
    access_token,
  ])
  return table(['Provider', 'Service', 'Protocol', 'Its ID Tokens', 'Its access tokens live'], rows)
}

function fields(): string {
  const of_profile = Object.keys(profileFields).map((field) => [
    `\`${field}\``,
    ...adapters.map(({ manifest }) => told(manifest.supplies.some((supplied) => supplied === field))),
  ])
  const rest = (['follow', 'email', 'phone'] as const).map((item) => [
    groups[item],
    ...adapters.map(({ manifest }) => told(manifest.supplies.includes(item))),
  ])
  const rows = [...of_profile, ...rest].filter(([, ...cells]) => cells.some((cell) => cell !== ''))
  return table(['Field', ...names], rows)
}

const groups = { follow: 'followers and following', email: 'e-mail address', phone: 'phone number' }

function details(): string {
  const parts = adapters.map(({ provider, manifest: { email, refresh, leaving, quirks } }) =>
    [
      `### \`${provider}\``,
      `- An e-mail address counts as verified: ${email ?? 'it tells none'}.`,
      `- Access tokens are renewed: ${refresh}.`,
      `- When a person leaves: ${leaving}.`,
      ...quirks.map((quirk) => `- ${quirk}`),
    ].join('\n'),
  )
  return parts.join('\n\n')
}
