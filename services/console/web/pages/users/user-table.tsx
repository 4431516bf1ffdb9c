import { Alert, Group, Text } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { ListedUser, SiteReference, UserSummary } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { DataTable, type ServiceOrder } from '../../parts/table/data-table.tsx'
import { NarrowText } from '../../parts/table/narrow-text.tsx'
import { useTexts } from '../../texts/index.tsx'
import { BlockUsers, UnblockUsers } from './block-user.tsx'
import { useUserColumns } from './use-user-columns.ts'
import { DeleteUsers } from './user-actions.tsx'
import { UserLink } from './user-link.tsx'
import { UserPicture } from './user-picture.tsx'

interface Props {
  readonly site: SiteReference
  readonly users: readonly ListedUser[]
  readonly empty: string
  readonly order: ServiceOrder
}

/** A page of users, with what their profiles say of them. */
export function UserTable({ site, users, empty, order }: Props) {
  const { users: t, common } = useTexts('users')
  const nameProvider = useNameProvider()
  const hasRole = useHasRole(site)
  const columns = useUserColumns()
  const identifiers = users.map(({ identifier }) => identifier)
  // Apart from the list, which is shown at once, and has no personal data of profiles.
  const { data } = useRead('summarizeUsers', { ...site, identifiers }, { personal: true, enabled: users.length > 0 })
  const summaries = new Map(data?.users.map((one) => [one.identifier, one]))
  const summaryOf = ({ identifier }: ListedUser) => summaries.get(identifier)
  const narrow = (text: string | null | undefined, width: number) =>
    typeof text === 'string' ? (
      <NarrowText width={width}>{text}</NarrowText>
    ) : (
      <Text span inherit c="dimmed">
        {common.none}
      </Text>
    )
  if (columns.isLoading) return null
  return (
    <>
      {columns.fault && <FaultAlert fault={columns.fault} />}
      {data !== undefined && data.unavailable.length > 0 && <Alert color="yellow">{t.names_unavailable}</Alert>}
      <DataTable
        label={t.title}
        keep="users"
        isPage
        order={order}
        memberColumns={columns}
        rows={users}
        name={({ identifier }) => identifier}
        empty={empty}
        bulk={
          hasRole('editor') &&
          ((selected) => (
            <>
              <BlockUsers site={site} users={selected} />
              <UnblockUsers site={site} users={selected} />
              {hasRole('owner') && <DeleteUsers site={site} users={selected} />}
            </>
          ))
        }
        columns={[
          {
            id: 'name',
            title: t.name,
            value: (user) => summaryOf(user)?.name ?? user.identifier,
            cell: (user) => <NamedUser site={site} user={user} summary={summaryOf(user)} />,
          },
          {
            id: 'email',
            title: t.email,
            value: (user) => summaryOf(user)?.email ?? null,
            cell: (user) => narrow(summaryOf(user)?.email, 170),
          },
          {
            id: 'primary_key',
            title: t.primary_key,
            value: ({ primary_key }) => primary_key,
            cell: ({ primary_key }) => narrow(primary_key, 120),
          },
          {
            id: 'providers',
            title: t.providers,
            value: (user) => summaryOf(user)?.providers.map(nameProvider).join(', ') ?? null,
          },
          {
            id: 'last_login',
            title: t.last_login,
            value: ({ last_logged_in_at }) => last_logged_in_at,
            cell: ({ last_logged_in_at }) => <DateTime at={last_logged_in_at} relative />,
          },
          { id: 'logins', title: t.logins, number: true, value: ({ login_count }) => login_count },
          { id: 'created', title: common.created, time: ({ created_at }) => created_at, relative: true },
          { id: 'state', title: t.account_state, value: (user) => t.states[findState(user)] },
          {
            id: 'identifier',
            title: t.identifier,
            value: ({ identifier }) => identifier,
            cell: ({ identifier }) => (
              <Text span inherit ff="monospace" title={identifier}>
                {identifier.length > 8 ? `${identifier.slice(0, 8)}…` : identifier}
              </Text>
            ),
          },
        ]}
      />
    </>
  )
}

/** A block shows first, because it ends only by an administrator or its time. */
function findState({ block, to_be_deleted }: ListedUser): 'active' | 'blocked' | 'to_be_deleted' {
  if (block !== undefined) return 'blocked'
  return to_be_deleted ? 'to_be_deleted' : 'active'
}

interface NamedUserProps {
  readonly site: SiteReference
  readonly user: ListedUser
  /** Undefined while it is loaded. */
  readonly summary: Pick<UserSummary, 'name' | 'picture'> | undefined
}

function NamedUser({ site, user, summary }: NamedUserProps) {
  const { name = null, picture = null } = summary ?? {}
  return (
    <Group gap="xs" wrap="nowrap">
      <UserPicture picture={picture} name={name} />
      <UserLink site={site} user={user} name={name} />
    </Group>
  )
}
