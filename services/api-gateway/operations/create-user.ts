import { z } from 'zod'
import { Fault, Identifier, type Link, PrimaryKey, type Provider, ProviderUserId } from '#contracts'
import { exampleAccount, exampleIdentifier } from '../objects/examples.ts'
import { defineOperation } from '../operation.ts'
import { type ProviderUserIds, providerUserIds } from '../parameters/provider-user-ids.ts'
import { optional } from '../parameters/text.ts'

export const createUser = defineOperation({
  name: 'create_user',
  title: 'Create a user',
  group: 'users',
  summary:
    'Creates a user, maps it to a customer-side user ID, and links it to accounts at configured login providers.',
  writes: true,
  parameters: {
    primary_key: optional(PrimaryKey, 'Customer-side user ID to map.'),
    provider_user_ids: providerUserIds(
      'The user’s ID at a login provider, whose name is in the brackets. Ignored unless that provider is configured.',
    ),
  },
  faults: {
    invalid_parameter: 'An account in `provider_user_ids` belongs to another user; nothing is created.',
    entity_not_found:
      'In a repeat with the same `Idempotency-Key`: the user that the first request created was deleted or merged.',
    duplicated_primary_key: '`primary_key` belongs to another user; nothing is created.',
  },
  response: () => ({
    user: z.object({
      identifier: Identifier,
      primary_key: PrimaryKey.optional(),
      provider_user_ids: z.record(z.string(), z.string().max(255)).optional(),
    }),
  }),
  example: ({ wire }) => ({
    query: { primary_key: 'customer-1024', [`provider_user_ids[${wire('messaging')}]`]: exampleAccount },
    response: {
      user: {
        identifier: exampleIdentifier,
        primary_key: 'customer-1024',
        provider_user_ids: { [wire('messaging')]: exampleAccount },
      },
    },
  }),
  async run({ primary_key, provider_user_ids }, { identity, providerAuth, names }, { site: { site }, call, command }) {
    const configured = provider_user_ids?.size ? (await providerAuth.listProviders({ site }, call)).providers : []
    const accounts = selectConfigured(provider_user_ids, configured)
    const { user, links } = await identity.createUser({ site, primary_key, links: accounts, command }, call)
    return {
      user: {
        identifier: user.identifier,
        ...(primary_key === undefined ? {} : { primary_key }),
        ...(provider_user_ids === undefined ? {} : { provider_user_ids: showLinks(links, names.wire) }),
      },
    }
  },
})

function selectConfigured(ids: ProviderUserIds, configured: readonly Provider[]) {
  return [...(ids ?? [])]
    .filter(([provider]) => configured.includes(provider))
    .map(([provider, providerUserId]) => ({ provider, provider_user_id: parseId(provider, providerUserId) }))
}

/** @throws Fault `invalid_parameter` */
function parseId(provider: Provider, providerUserId: string): string {
  const parsed = ProviderUserId.safeParse(providerUserId)
  if (parsed.success) return parsed.data
  const parameter = `provider_user_ids[${provider}]`
  throw new Fault('invalid_parameter', { detail: { reason: 'wrong_format', parameter } })
}

function showLinks(links: readonly Link[], wire: (provider: Provider) => string): Record<string, string> {
  return Object.fromEntries(links.map(({ provider, provider_user_id }) => [wire(provider), provider_user_id]))
}
