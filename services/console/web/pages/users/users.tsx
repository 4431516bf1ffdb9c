import { Anchor, Badge, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
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
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { BlockUsers, UnblockUsers } from './block-user.tsx'
import { DeleteUsers } from './user-actions.tsx'
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

export function UserTable({ site, users, empty }: { site: SiteReference; users: readonly User[]; empty: string }) {
  const { users: t, common } = useTexts('users')
  const nameProvider = useNameProvider()
  const hasRole = useHasRole(site)
  return (
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
          title: t.identifier,
          value: ({ identifier }) => identifier,
          cell: ({ identifier, block }) => (
            <Group gap="xs" wrap="nowrap">
              <Anchor component={Link} href={paths.user(site, identifier)} ff="monospace" size="sm" title={identifier}>
                {identifier.length > 16 ? `${identifier.slice(0, 16)}…` : identifier}
              </Anchor>
              {block !== undefined && (
                <Badge variant="light" color="red">
                  {t.blocked}
                </Badge>
              )}
            </Group>
          ),
        },
        {
          title: t.primary_key,
          value: ({ primary_key }) => primary_key,
          cell: ({ primary_key }) =>
            primary_key ?? (
              <Text span inherit c="dimmed">
                {common.none}
              </Text>
            ),
        },
        {
          title: t.last_login,
          value: ({ last_logged_in_at }) => last_logged_in_at,
          cell: ({ last_logged_in_at, last_logged_in_provider }) => (
            <Group gap="xs" wrap="nowrap">
              <DateTime at={last_logged_in_at} relative />
              {last_logged_in_provider && (
                <Badge variant="light" color="gray">
                  {nameProvider(last_logged_in_provider)}
                </Badge>
              )}
            </Group>
          ),
        },
        { title: t.logins, number: true, value: ({ login_count }) => login_count },
        { title: common.created, time: ({ created_at }) => created_at },
      ]}
    />
  )
}
