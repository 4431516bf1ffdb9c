import { z } from 'zod'
import { Fault, Timestamp } from '#contracts'
import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { providersOf } from '../objects/providers.ts'
import { defineOperation } from '../operation.ts'
import { targetProvider } from '../parameters/target-provider.ts'
import { userIds } from '../parameters/user-ids.ts'

export const associationToken = defineOperation({
  name: 'association_token',
  title: 'Issue a token for linking a provider',
  group: 'accounts',
  summary:
    'Issues a token with which the user’s browser links one more login provider, and the URL to open. Add the parameter `callback` with a registered callback address to it. An earlier token of the user becomes invalid.',
  writes: true,
  parameters: { user: userIds(), target_provider: targetProvider('The login provider to add.') },
  faults: {
    entity_not_found: noSuchUser,
    provider_settings_incomplete: 'The settings of the login provider are incomplete.',
    provider_already_linked: 'The user is already linked to the login provider.',
  },
  response: () => ({
    token: z.object({ token: z.string().max(40), expired_at: Timestamp }),
    authenticate_uri: z.string().max(2_083),
  }),
  example: ({ wire }) => ({
    query: { identifier: exampleIdentifier, target_provider: wire('search') },
    response: {
      token: { token: 'slas_0p2Qm7yTq3Zk8Wc5Vb1Nn4Rr6Ss9XdLg', expired_at: '2026-05-12T03:51:45Z' },
      authenticate_uri: `https://auth.example.com/example/shop/${wire('search')}/associate?token=slas_0p2Qm7yTq3Zk8Wc5Vb1Nn4Rr6Ss9XdLg`,
    },
  }),
  async run(
    { user: named, target_provider: provider },
    { identity, providerAuth },
    { site: { site }, call, isOnOwnHost },
  ) {
    const [{ user, links }, { providers: configured }] = await Promise.all([
      identity.resolveUser({ site, ...named }, call),
      providerAuth.listProviders({ site }, call),
    ])
    if (!configured.includes(provider)) throw new Fault('provider_settings_incomplete')
    if (providersOf(links).includes(provider)) throw new Fault('provider_already_linked')
    const subject = { site, identifier: user.identifier, provider, own_host: isOnOwnHost }
    const { authenticate_uri, ...token } = await providerAuth.issueAssociationToken(subject, call)
    return { token, authenticate_uri }
  },
})
