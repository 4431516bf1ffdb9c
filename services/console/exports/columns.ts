import { type CombinedProfile, type Link, type Profile, profileFields, providers, type User } from '#contracts'
import type { Row } from './csv.ts'

export interface ExportedUser {
  readonly user: User
  readonly links: readonly Link[]
  /** Undefined: profiles were not asked for. */
  readonly profile: (CombinedProfile & { readonly profile_prohibited: boolean }) | undefined
}

interface Column {
  readonly title: string
  readonly tell: (exported: ExportedUser) => Row[number]
}

const ofUser: readonly Column[] = (
  [
    'identifier',
    'primary_key',
    'created_at',
    'mapped_at',
    'login_count',
    'last_logged_in_at',
    'last_logged_in_provider',
  ] as const
).map((title) => ({ title, tell: ({ user }) => user[title] }))

const ofLinks: readonly Column[] = providers.map((provider) => ({
  title: `${provider}_id`,
  tell: ({ links }) => links.find((link) => link.provider === provider)?.provider_user_id ?? null,
}))

// Only names of profile fields are there.
const profileFieldNames = Object.keys(profileFields) as (keyof typeof profileFields)[]

const ofProfile: readonly Column[] = [
  { title: 'profile_prohibited', tell: ({ profile }) => profile?.profile_prohibited ?? null },
  ...profileFieldNames.map((title) => ({
    title,
    tell: ({ profile }: ExportedUser) => asOne(profile?.profile[title] ?? null),
  })),
  { title: 'followed_by', tell: ({ profile }) => profile?.follow.followed_by ?? null },
  { title: 'following', tell: ({ profile }) => profile?.follow.following ?? null },
  { title: 'email', tell: ({ profile }) => asOne(profile?.email.map(({ email }) => email) ?? null) },
  { title: 'phone', tell: ({ profile }) => asOne(profile?.phone.map(({ number }) => number) ?? null) },
]

/** Several values are one to a line in their field. */
function asOne(value: Profile[keyof typeof profileFields]): Row[number] {
  return Array.isArray(value) ? value.join('\n') : value
}

export function columnsOf(withProfile: boolean): readonly Column[] {
  return [...ofUser, ...ofLinks, ...(withProfile ? ofProfile : [])]
}
