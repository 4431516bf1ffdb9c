import type { z } from 'zod'
import {
  builtInProviders,
  type Consent,
  type Credential,
  type FriendStatus,
  type Link,
  type Metadata,
  type Output,
  type Profile,
  type Provider,
  type profileContract,
  profileFields,
  type User,
} from '#contracts'
import type { Row } from './csv.ts'

export interface ExportedUser {
  readonly user: User
  readonly links: readonly Link[]
  /** Undefined: the user has none. */
  readonly profile: StoredUserProfile | undefined
  /** By link; links without are absent. */
  readonly credentials: Readonly<Record<string, Credential>>
  /** Undefined: the user has none, or the export is without profiles. */
  readonly metadata: Metadata | undefined
  /** Undefined: as for metadata. */
  readonly consents: readonly Consent[] | undefined
  readonly statuses: Readonly<Record<string, z.output<typeof FriendStatus>>>
}

type StoredUserProfile = Output<(typeof profileContract.procedures)['readStoredProfiles']>['profiles'][string]

interface Column {
  readonly title: string
  readonly getValue: (exported: ExportedUser) => Row[number]
}

const userColumns: readonly Column[] = (
  [
    'identifier',
    'primary_key',
    'created_at',
    'mapped_at',
    'login_count',
    'last_logged_in_at',
    'last_logged_in_provider',
  ] as const
).map((title) => ({ title, getValue: ({ user }) => user[title] }))

const prohibitionColumn: Column = {
  title: 'profile_prohibited',
  getValue: ({ profile }) => profile?.profile_prohibited ?? false,
}

const blockedColumn: Column = { title: 'blocked', getValue: ({ user }) => user.block !== undefined }

const linkColumn = (provider: Provider): Column => ({
  title: `${provider}_id`,
  getValue: ({ links }) => links.find((link) => link.provider === provider)?.provider_user_id ?? null,
})

// The literal has the keys that its type names.
const profileFieldNames = Object.keys(profileFields) as (keyof typeof profileFields)[]

const profileColumns: readonly Column[] = [
  ...profileFieldNames.map((title) => ({
    title,
    getValue: ({ profile }: ExportedUser) => joinValues(profile?.profile[title] ?? null),
  })),
  { title: 'followed_by', getValue: ({ profile }) => profile?.follow.followed_by ?? null },
  { title: 'following', getValue: ({ profile }) => profile?.follow.following ?? null },
  { title: 'email', getValue: ({ profile }) => joinValues(profile?.email.map(({ email }) => email) ?? null) },
  { title: 'phone', getValue: ({ profile }) => joinValues(profile?.phone.map(({ number }) => number) ?? null) },
]

/** Joins several values with newlines. */
function joinValues(value: Profile[keyof typeof profileFields]): Row[number] {
  return Array.isArray(value) ? value.join('\n') : value
}

/** @param configured the providers that the site configured */
export function listColumns(withProfile: boolean, configured: readonly Provider[]): readonly Column[] {
  const linkColumns = [...builtInProviders, ...configured].map(linkColumn)
  return [...userColumns, ...linkColumns, prohibitionColumn, blockedColumn, ...(withProfile ? profileColumns : [])]
}
