import { listedColumns, userStates } from 'virtual:contract'
import { Anchor, Box, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { FoundUsers, SiteReference } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { MetadataConditionFields } from '../../parts/metadata-condition.tsx'
import { Page } from '../../parts/page.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { PageButtons, useCursorPages } from '../../parts/table/cursor-pages.tsx'
import { FilterBar } from '../../parts/table/filter-bar.tsx'
import { FilterChoice } from '../../parts/table/filter-field.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { useUserColumns } from './use-user-columns.ts'
import { mappings, periods, useUserList } from './use-user-list.ts'
import { FoundUserTable, UserSearchBox } from './user-search.tsx'
import { UserTable } from './user-table.tsx'

const pageSize = 20

/** Orders as the address has them; without one, the newest users are first. */
const sortChoices = [
  ['created', 'oldest'],
  ['-last_login', 'last_login_desc'],
  ['last_login', 'last_login_asc'],
  ['-logins', 'logins_desc'],
  ['logins', 'logins_asc'],
] as const

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

type List = ReturnType<typeof useUserList>

function UserList({ site }: { site: SiteReference }) {
  const list = useUserList(site)
  return (
    <>
      <UserFilters site={site} list={list} />
      {/* Another list begins at its first page. */}
      {list.isLoading ? null : <UserPages key={JSON.stringify(list.request)} site={site} list={list} />}
    </>
  )
}

function UserFilters({ site, list }: { site: SiteReference; list: List }) {
  const { chosen, providers, filterBy, sort, sortBy } = list
  const { users: t, user_filter } = useTexts('users', 'user_filter')
  const nameProvider = useNameProvider()
  const spans = periods.map((value) => ({ value, label: t.periods[value] }))
  return (
    <FilterBar chosen={Object.values(chosen).filter((value) => value !== undefined).length}>
      <FilterChoice
        label={t.created}
        any={t.any}
        choices={spans}
        value={chosen.createdWithin ?? ''}
        onChange={filterBy('created')}
      />
      <FilterChoice
        label={t.last_login}
        any={t.any}
        choices={spans}
        value={chosen.lastLoginWithin ?? ''}
        onChange={filterBy('last_login')}
      />
      <FilterChoice
        label={user_filter.provider}
        any={t.mapped_any}
        choices={providers.map((value) => ({ value, label: nameProvider(value) }))}
        value={chosen.provider ?? ''}
        onChange={filterBy('provider')}
      />
      <FilterChoice
        label={t.primary_key}
        any={t.mapped_any}
        choices={mappings.map((value) => ({ value, label: t.mapped[value] }))}
        value={chosen.mapped ?? ''}
        onChange={filterBy('mapped')}
      />
      <FilterChoice
        label={t.account_state}
        any={t.state_any}
        choices={userStates.map((value) => ({ value, label: t.states[value] }))}
        value={chosen.userState ?? ''}
        onChange={filterBy('state')}
      />
      <MetadataConditionFields
        site={site}
        value={list.metadata}
        onChange={filterBy('metadata')}
        isDelayed
        width={260}
      />
      {/* On a phone, the table has no titles to sort by. */}
      <Box hiddenFrom="xs" w="100%">
        <FilterChoice
          label={t.sort_by}
          any={t.sorts.newest}
          choices={sortChoices.map(([value, name]) => ({ value, label: t.sorts[name] }))}
          value={sort}
          onChange={sortBy}
        />
      </Box>
    </FilterBar>
  )
}

function UserPages({ site, list: { request, order, conditions } }: { site: SiteReference; list: List }) {
  const { users: t } = useTexts('users')
  const hasRole = useHasRole(site)
  const pages = useCursorPages()
  const { after } = pages
  const page = { ...request, limit: pageSize, ...(after === undefined ? {} : { after }) }
  return (
    <Loaded of={useRead('listUsers', page, { keepPrevious: true })}>
      {({ users, total, next }) => (
        <>
          <Group justify="space-between">
            <Text size="sm" c="dimmed" role="status">
              {total !== null && t.count({ count: total })}
            </Text>
            {hasRole('owner') && (
              <Group gap="md">
                <ExportLink site={site} conditions={conditions} />
                <Anchor component={Link} href={paths.bulkChange(site, conditions)} size="sm">
                  {t.bulk_change}
                </Anchor>
              </Group>
            )}
          </Group>
          <UserTable site={site} users={users} order={order} empty={next === null ? t.empty : t.none_on_page} />
          <PageButtons of={pages} next={next ?? undefined} />
        </>
      )}
    </Loaded>
  )
}

/** Requests an export of all users of the list, with the columns that it shows. */
function ExportLink({ site, conditions }: { site: SiteReference; conditions: List['conditions'] }) {
  const { users: t } = useTexts('users')
  const { shown } = useUserColumns()
  const columns = shown.map((column) => listedColumns[column])
  return (
    <Anchor component={Link} href={paths.requestExport(site, columns, conditions)} size="sm">
      {t.export}
    </Anchor>
  )
}
