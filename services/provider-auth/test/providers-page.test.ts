import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { loginProviderDescriptions, loginProviders, profileFields } from '#contracts'
import { table, withGenerated } from '#testing'
import { adapters } from '../upstream/providers/index.ts'

const page = readFileSync('docs/use/providers.md', 'utf8')
const names = loginProviders.map((provider) => `\`${provider}\``)
const supplied = loginProviders.map((provider) => loginProviderDescriptions[provider].supplies)
const markSupplied = (isTold: boolean) => (isTold ? '●' : '')

test('docs/use/providers.md contains the manifest of every adapter', async () => {
  const parts = { overview: overview(), fields: fields(), details: details() }
  await expect(withGenerated(page, parts)).toMatchFileSnapshot('../../../docs/use/providers.md')
})

function overview(): string {
  const rows = loginProviders.map((provider) => {
    const { service, protocol, id_token_alg, access_token } = adapters[provider].manifest
    return [`\`${provider}\``, service, protocol, id_token_alg ?? 'none', access_token]
  })
  return table(['Provider', 'Service', 'Protocol', 'Its ID Tokens', 'Its access tokens live'], rows)
}

function fields(): string {
  const ofProfile = Object.keys(profileFields).map((field) => [
    `\`${field}\``,
    ...supplied.map((items) => markSupplied(items.some((item) => item === field))),
  ])
  const rest = (['follow', 'email', 'phone'] as const).map((item) => [
    groups[item],
    ...supplied.map((items) => markSupplied(items.includes(item))),
  ])
  const rows = [...ofProfile, ...rest].filter(([, ...cells]) => cells.some((cell) => cell !== ''))
  return table(['Field', ...names], rows)
}

const groups = { follow: 'followers and following', email: 'e-mail address', phone: 'phone number' }

function details(): string {
  const parts = loginProviders.map((provider) => {
    const { email, refresh, revocation, quirks } = adapters[provider].manifest
    return [
      `### \`${provider}\``,
      `- E-mail address counts as verified: ${email ?? 'the provider sends none'}.`,
      `- Token refresh: ${refresh}.`,
      `- Provider revocation: ${revocation}.`,
      ...quirks.map((quirk) => `- ${quirk}`),
    ].join('\n')
  })
  return parts.join('\n\n')
}
