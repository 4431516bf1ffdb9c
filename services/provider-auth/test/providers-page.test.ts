import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { builtInLoginProviders, loginProviderDescriptions, profileFields } from '#contracts'
import { table, withGenerated } from '#testing'

const page = readFileSync('docs/use/providers.md', 'utf8')
const names = builtInLoginProviders.map((provider) => `\`${provider}\``)
const supplied = builtInLoginProviders.map((provider) => loginProviderDescriptions[provider].supplies)
const markSupplied = (isTold: boolean) => (isTold ? '●' : '')

test('docs/use/providers.md contains what the descriptions say', async () => {
  const parts = { overview: overview(), fields: fields(), details: details() }
  await expect(withGenerated(page, parts)).toMatchFileSnapshot('../../../docs/use/providers.md')
})

function overview(): string {
  const rows = builtInLoginProviders.map((provider) => {
    const { documentation, protocols } = loginProviderDescriptions[provider]
    const [protocol] = protocols
    const idTokens = protocol.type === 'oidc' ? protocol.idToken.alg : 'none'
    return [`\`${provider}\``, documentation.service, protocolNames[protocol.type], idTokens, documentation.accessToken]
  })
  return table(['Provider', 'Service', 'Protocol', 'Its ID Tokens', 'Its access tokens live'], rows)
}

const protocolNames = { oidc: 'OpenID Connect', oauth2: 'OAuth 2.0', oauth1: 'OAuth 1.0a' }

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
  const parts = builtInLoginProviders.map((provider) => {
    const { email, refresh, revocation, quirks } = loginProviderDescriptions[provider].documentation
    return [
      `### \`${provider}\``,
      `- E-mail address counts as verified: ${email}.`,
      `- Token refresh: ${refresh}.`,
      `- Provider revocation: ${revocation}.`,
      ...quirks.map((quirk) => `- ${quirk}`),
    ].join('\n')
  })
  return parts.join('\n\n')
}
