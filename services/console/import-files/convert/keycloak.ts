import { z } from 'zod'
import {
  type ForeignFormat,
  ForeignId,
  Milliseconds,
  OptionalBoolean,
  OptionalMetadata,
  OptionalText,
  toEmailList,
  toLinks,
  toMetadata,
  toTime,
} from './common.ts'
import { toConsents } from './consents.ts'

/** The attribute in which the required action “Terms and Conditions” stores when the user accepted, in Unix seconds. */
const AcceptedTerms = z.object({ terms_and_conditions: z.tuple([z.string().regex(/^\d{1,12}$/)]) })

/** A user of a Keycloak realm export (`kc.sh export`, or the file of users of its directory). */
const KeycloakUser = z.looseObject({
  id: OptionalText,
  username: OptionalText,
  email: OptionalText,
  emailVerified: OptionalBoolean,
  firstName: OptionalText,
  lastName: OptionalText,
  enabled: OptionalBoolean,
  createdTimestamp: Milliseconds,
  /** Lists of texts. Administrators write them, and by the realm's user profile also users: they become `app_metadata`. */
  attributes: OptionalMetadata,
  federatedIdentities: z.array(z.looseObject({ identityProvider: z.string(), userId: ForeignId })).default([]),
})

export const keycloak: ForeignFormat = {
  title: 'Keycloak',
  list: 'users',
  // Clients have users of their own, with which end users do not log in.
  isUser: ({
    id,
    username,
    enabled,
    federatedIdentities,
    credentials,
    createdTimestamp,
    serviceAccountClientId,
    clientId,
    realm,
  }) =>
    (typeof username === 'string' || typeof id === 'string') &&
    [enabled, federatedIdentities, credentials, createdTimestamp].some((value) => value !== undefined) &&
    [serviceAccountClientId, clientId, realm].every((value) => value === undefined),
  convert(given, providers) {
    const user = KeycloakUser.parse(given)
    const accounts = user.federatedIdentities.map(({ identityProvider, userId }) => ({
      names: [identityProvider] as const,
      provider_user_id: userId,
    }))
    const { links, omitted } = toLinks(accounts, providers, {
      profile: { user_name: user.username, first_name: user.firstName, last_name: user.lastName },
      email: toEmailList(user.email, user.emailVerified),
    })
    const terms = AcceptedTerms.safeParse(user.attributes).data?.terms_and_conditions ?? []
    const record = {
      primary_key: user.id ?? null,
      created_at: toTime(user.createdTimestamp),
      ...toMetadata({ app_metadata: user.attributes }),
      ...toConsents(
        terms.map((seconds) => ({
          path: ['terms_and_conditions'],
          version: 1,
          accepted: true,
          answered_at: Number(seconds) * 1_000,
        })),
      ),
      links,
    }
    return { record, isBlocked: user.enabled === false, omitted }
  },
}
