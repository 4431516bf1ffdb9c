import { Alert, Text } from '@mantine/core'
import { useState } from 'react'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { FoundUsers, SiteReference, User } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { DataTable } from '../../parts/table/data-table.tsx'
import { FilterBar } from '../../parts/table/filter-bar.tsx'
import { FilterChoice } from '../../parts/table/filter-field.tsx'
import { PageNumbers } from '../../parts/table/page-numbers.tsx'
import { useAddressFilters } from '../../parts/table/use-address-filters.ts'
import { useTexts } from '../../texts/index.tsx'
import { BlockUsers, UnblockUsers } from './block-user.tsx'
import { DeleteUsers } from './user-actions.tsx'
import { UserLink } from './user-link.tsx'
import { FoundUserTable, UserSearchBox } from './user-search.tsx'

const pageSize = 20
const periods = ['1d', '7d', '30d', '90d', '365d'] as const
const mappings = ['mapped_only', 'not_mapped_only'] as const

/** The users of a site: a search, or a filtered list. */
export function UsersPage({ site }: { site: SiteReference }) {
  const { users: t } = useTexts('users')
  const [found, setFound] = useState<FoundUsers>()
  return (
    <Page title={t.title} about={t.about}>
      <UserSearchBox site={site} onFound={setFound} />
      {found === undefined ? <UserList site={site} /> : <FoundUserTable site={site} found={found} />}
    </Page>
  )
}

function UserList({ site }: { site: SiteReference }) {
  const { users: t } = useTexts('users')
  const [filters, changeFilters] = useAddressFilters(['created', 'last_login', 'mapped', 'state', 'page'])
  const page = Math.max(0, Number.parseInt(filters.page, 10) - 1 || 0)
  const mapped = mappings.find((value) => value === filters.mapped)
  const state = filters.state === 'blocked' ? filters.state : undefined
  const createdWithin = periods.find((value) => value === filters.created)
  const lastLoginWithin = periods.find((value) => value === filters.last_login)
  const query = useRead(
    'listUsers',
    {
      ...site,
      limit: pageSize,
      page,
      ...(createdWithin ? { created_within: createdWithin } : {}),
      ...(lastLoginWithin ? { last_login_within: lastLoginWithin } : {}),
      ...(mapped ? { mapped } : {}),
      ...(state ? { state } : {}),
    },
    { keepPrevious: true },
  )
  const spans = periods.map((value) => ({ value, label: t.periods[value] }))
  const filterBy = (name: 'created' | 'last_login' | 'mapped' | 'state') => (value: string) =>
    changeFilters({ [name]: value, page: '' })
  return (
    <>
      <FilterBar chosen={[createdWithin, lastLoginWithin, mapped, state].filter((value) => value !== undefined).length}>
        <FilterChoice
          label={t.created}
          any={t.any}
          choices={spans}
          value={createdWithin ?? ''}
          onChange={filterBy('created')}
        />
        <FilterChoice
          label={t.last_login}
          any={t.any}
          choices={spans}
          value={lastLoginWithin ?? ''}
          onChange={filterBy('last_login')}
        />
        <FilterChoice
          label={t.primary_key}
          any={t.mapped_any}
          choices={mappings.map((value) => ({ value, label: t.mapped[value] }))}
          value={mapped ?? ''}
          onChange={filterBy('mapped')}
        />
        <FilterChoice
          label={t.account_state}
          any={t.state_any}
          choices={[{ value: 'blocked', label: t.states.blocked }]}
          value={state ?? ''}
          onChange={filterBy('state')}
        />
      </FilterBar>
      <Loaded of={query}>
        {({ users, total }) => (
          <>
            <Text size="sm" c="dimmed" role="status">
              {t.count({ count: total })}
            </Text>
            <UserTable site={site} users={users} empty={t.empty} />
            <PageNumbers
              total={Math.ceil(total / pageSize)}
              page={page}
              turnTo={(next) => changeFilters({ page: next === 0 ? '' : String(next + 1) })}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

function UserTable({ site, users, empty }: { site: SiteReference; users: readonly User[]; empty: string }) {
  const { users: t, common } = useTexts('users')
  const nameProvider = useNameProvider()
  const hasRole = useHasRole(site)
  const identifiers = users.map(({ identifier }) => identifier)
  // Apart from the list, which is shown at once, and has no personal data of profiles.
  const { data } = useRead('summarizeUsers', { ...site, identifiers }, { personal: true, enabled: users.length > 0 })
  const summaries = new Map(data?.users.map((one) => [one.identifier, one]))
  const summaryOf = ({ identifier }: User) => summaries.get(identifier)
  const none = (
    <Text span inherit c="dimmed">
      {common.none}
    </Text>
  )
  return (
    <>
      {data !== undefined && data.unavailable.length > 0 && <Alert color="yellow">{t.names_unavailable}</Alert>}
      <DataTable
        label={t.title}
        keep="users"
        isPage
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
            title: t.name,
            value: (user) => summaryOf(user)?.name ?? user.identifier,
            cell: (user) => <UserLink site={site} user={user} name={summaryOf(user)?.name ?? null} />,
          },
          {
            title: t.email,
            value: (user) => summaryOf(user)?.email ?? null,
            cell: (user) => summaryOf(user)?.email ?? none,
          },
          {
            title: t.primary_key,
            value: ({ primary_key }) => primary_key,
            cell: ({ primary_key }) => primary_key ?? none,
          },
          {
            title: t.providers,
            value: (user) => summaryOf(user)?.providers.map(nameProvider).join(', ') ?? null,
          },
          {
            title: t.last_login,
            value: ({ last_logged_in_at }) => last_logged_in_at,
            cell: ({ last_logged_in_at }) => <DateTime at={last_logged_in_at} relative />,
          },
          { title: t.logins, number: true, value: ({ login_count }) => login_count },
          { title: common.created, time: ({ created_at }) => created_at, relative: true },
          {
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
