import { z } from 'zod'
import { MetadataPath } from '../objects/metadata-path.ts'
import { profileFields } from '../profile-items.ts'
import { Provider } from '../providers.ts'

// The literal has the keys that its type names.
const profileFieldNames = Object.keys(profileFields) as (keyof typeof profileFields)[]

/**
 * The columns of CSV exports by what they are about. Further ones are `<provider>_id`, the ID of the account at a login
 * provider, and paths of metadata.
 */
export const exportColumns = {
  user: [
    'identifier',
    'primary_key',
    'created_at',
    'mapped_at',
    'login_count',
    'last_logged_in_at',
    'last_logged_in_provider',
    'providers',
  ],
  state: ['state', 'profile_prohibited', 'blocked', 'blocked_since', 'blocked_until', 'blocked_by', 'block_reason'],
  profile: ['name', ...profileFieldNames, 'followed_by', 'following', 'email', 'phone'],
  data: ['user_metadata', 'app_metadata', 'consents'],
} as const

export type ExportColumnGroup = keyof typeof exportColumns
export type NamedExportColumn = (typeof exportColumns)[ExportColumnGroup][number]

const NamedColumn = z.enum([
  ...exportColumns.user,
  ...exportColumns.state,
  ...exportColumns.profile,
  ...exportColumns.data,
])

/** The name of a column of a CSV export, and its title in the file. */
export const ExportColumn = z.union(
  [NamedColumn, z.string().regex(/^[a-z][a-z0-9_]{0,30}_id$/), MetadataPath],
  'must be a column of exports, <provider>_id, or a path of metadata such as app_metadata.plan',
)

/** What a column has. `account`: the ID of the account at a provider; `metadata`: the value at a path. */
export type ExportColumnMeaning =
  | { readonly kind: 'named'; readonly name: NamedExportColumn }
  | { readonly kind: 'account'; readonly provider: Provider }
  | { readonly kind: 'metadata'; readonly path: string }

/** @param column a valid name; profile fields that end with `_id` are not those of providers */
export function parseExportColumn(column: string): ExportColumnMeaning {
  const { data: name } = NamedColumn.safeParse(column)
  if (name !== undefined) return { kind: 'named', name }
  if (column.endsWith('_id')) return { kind: 'account', provider: Provider.parse(column.slice(0, -'_id'.length)) }
  return { kind: 'metadata', path: MetadataPath.parse(column) }
}

/** Columns that have personal data, or what an administrator or a server wrote about a user. */
const personalColumns: readonly string[] = [...exportColumns.profile, ...exportColumns.data, 'block_reason']

/** Whether an export with the column has more than IDs, times and states. */
export function isPersonalColumn(column: string): boolean {
  return personalColumns.includes(column) || parseExportColumn(column).kind === 'metadata'
}

/** The columns of the list of users, in their order, each with the column of CSV exports that has its values. */
export const listedColumns = {
  name: 'name',
  email: 'email',
  primary_key: 'primary_key',
  providers: 'providers',
  last_login: 'last_logged_in_at',
  logins: 'login_count',
  created: 'created_at',
  state: 'state',
  identifier: 'identifier',
} as const satisfies Readonly<Record<string, NamedExportColumn>>

type ListedColumn = keyof typeof listedColumns

// The literal has the keys that its type names.
export const userColumns = Object.keys(listedColumns) as [ListedColumn, ...ListedColumn[]]
