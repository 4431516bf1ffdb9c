import type { z } from 'zod'
import { exportColumns, type NamedExportColumn, parseExportColumn } from '#admin-api'
import {
  builtInProviders,
  type Consent,
  type Credential,
  emptyMetadata,
  type FriendStatus,
  type Link,
  type Metadata,
  type Output,
  type Provider,
  type profileContract,
  profileFields,
  readMetadataPath,
  type User,
} from '#contracts'
import type { CellValue } from './csv.ts'

export interface ExportedUser {
  readonly user: User
  readonly isToBeDeleted: boolean
  readonly links: readonly Link[]
  /** Undefined: the user has none. */
  readonly profile: StoredUserProfile | undefined
  /** Null: the user has none, or the export is without names. */
  readonly name: string | null
  /** By link; links without are absent. */
  readonly credentials: Readonly<Record<string, Credential>>
  /** Undefined: the user has none, or the export is without metadata. */
  readonly metadata: Metadata | undefined
  /** Undefined: as for metadata. */
  readonly consents: readonly Consent[] | undefined
  readonly statuses: Readonly<Record<string, z.output<typeof FriendStatus>>>
}

type StoredUserProfile = Output<(typeof profileContract.procedures)['readStoredProfiles']>['profiles'][string]

type GetValue = (exported: ExportedUser) => CellValue

interface Column {
  readonly title: string
  readonly getValue: GetValue
}

type ProfileField = keyof typeof profileFields

const otherValues: Readonly<Record<Exclude<NamedExportColumn, ProfileField>, GetValue>> = {
  identifier: ({ user }) => user.identifier,
  primary_key: ({ user }) => user.primary_key,
  created_at: ({ user }) => user.created_at,
  mapped_at: ({ user }) => user.mapped_at,
  login_count: ({ user }) => user.login_count,
  last_logged_in_at: ({ user }) => user.last_logged_in_at,
  last_logged_in_provider: ({ user }) => user.last_logged_in_provider,
  providers: ({ links }) => joinValues(links.map(({ provider }) => provider)),
  state: ({ user, isToBeDeleted }) => {
    // A block first, as in lists: it ends only by an administrator or its time.
    if (user.block !== undefined) return 'blocked'
    return isToBeDeleted ? 'to_be_deleted' : 'active'
  },
  profile_prohibited: ({ profile }) => profile?.profile_prohibited ?? false,
  blocked: ({ user }) => user.block !== undefined,
  blocked_since: ({ user }) => user.block?.since ?? null,
  blocked_until: ({ user }) => user.block?.until ?? null,
  blocked_by: ({ user }) => user.block?.by ?? null,
  block_reason: ({ user }) => user.block?.reason ?? null,
  name: ({ name }) => name,
  followed_by: ({ profile }) => profile?.follow.followed_by ?? null,
  following: ({ profile }) => profile?.follow.following ?? null,
  email: ({ profile }) => joinValues(profile?.email.map(({ email }) => email)),
  phone: ({ profile }) => joinValues(profile?.phone.map(({ number }) => number)),
  user_metadata: ({ metadata }) => toCell(metadata?.user_metadata),
  app_metadata: ({ metadata }) => toCell(metadata?.app_metadata),
  consents: ({ consents }) => joinValues(consents?.map(describeConsent)),
}

const isProfileField = (name: NamedExportColumn): name is ProfileField => Object.hasOwn(profileFields, name)

function readProfileField(field: ProfileField): GetValue {
  return ({ profile }) => {
    const value = profile?.profile[field] ?? null
    return Array.isArray(value) ? joinValues(value) : value
  }
}

function createColumn(title: string): Column {
  const column = parseExportColumn(title)
  if (column.kind === 'account') return { title, getValue: readAccount(column.provider) }
  if (column.kind === 'metadata')
    return { title, getValue: ({ metadata = emptyMetadata }) => toCell(readMetadataPath(metadata, column.path)) }
  const { name } = column
  return { title, getValue: isProfileField(name) ? readProfileField(name) : otherValues[name] }
}

function readAccount(provider: Provider): GetValue {
  return ({ links }) => links.find((link) => link.provider === provider)?.provider_user_id ?? null
}

/** Joins several values with newlines. */
function joinValues(values: readonly string[] = []): string | null {
  return values.length === 0 ? null : values.join('\n')
}

/** A value of JSON: objects and lists as JSON. */
function toCell(value: unknown): CellValue {
  if (value === undefined || value === null) return null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : JSON.stringify(value)
}

/** For example `terms:2 accepted 2026-01-31T10:00:00Z`. */
function describeConsent({ document, version, accepted, answered_at }: Consent): string {
  return `${document}:${version} ${accepted ? 'accepted' : 'declined'} ${answered_at}`
}

/** The columns that an import reads, if none were chosen. */
const usualColumns = {
  user: exportColumns.user.filter((name) => name !== 'providers'),
  state: ['profile_prohibited', 'blocked'],
  profile: exportColumns.profile.filter((name) => name !== 'name'),
} as const

/**
 * @param chosen null: the usual ones
 * @param configured the providers that the site configured
 */
export function listColumns(
  chosen: readonly string[] | null,
  withProfile: boolean,
  configured: readonly Provider[],
): readonly Column[] {
  if (chosen !== null) return chosen.map(createColumn)
  const { user, state, profile } = usualColumns
  // By their providers, because the ID of an account can have the name of a profile field.
  const accounts = [...builtInProviders, ...configured].map((provider) => ({
    title: `${provider}_id`,
    getValue: readAccount(provider),
  }))
  return [...user.map(createColumn), ...accounts, ...[...state, ...(withProfile ? profile : [])].map(createColumn)]
}
