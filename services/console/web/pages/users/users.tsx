import { Anchor, Badge, Button, Group, Pagination, Select, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { call } from '../../admin/call.ts'
import { useRead } from '../../admin/queries.ts'
import type { SiteReference, User } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { DateTime } from '../../parts/date-time.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { paths } from '../../shell/paths.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

const pageSize = 20
const periods = ['1d', '7d', '30d', '90d', '365d'] as const

/** The users of a site: search by exact ID, or a filtered list. */
export function UsersPage({ site }: { site: SiteReference }) {
  const { users: t } = useTexts()
  const [found, setFound] = useState<User[]>()
  return (
    <Page title={t.title} about={t.about}>
      <Search site={site} onFound={setFound} />
      {found === undefined ? <UserList site={site} /> : <UserTable site={site} users={found} empty={t.none_found} />}
    </Page>
  )
}

function Search({ site, onFound }: { site: SiteReference; onFound: (users: User[] | undefined) => void }) {
  const { users: t } = useTexts()
  const [q, setQ] = useState('')
  const [hasSearched, setSearched] = useState(false)
  const [, navigate] = useLocation()
  const search = useAction(async () => {
    const { users } = await call('findUsers', { ...site, q })
    const [only] = users
    if (only && users.length === 1) navigate(paths.user(site, only.identifier))
    onFound(users)
    setSearched(true)
  })
  const clear = () => {
    setQ('')
    setSearched(false)
    onFound(undefined)
  }
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (q.trim() !== '') search.run()
        }}
      >
        <Group align="flex-end" gap="sm">
          <TextInput
            label={t.search}
            description={t.search_hint}
            value={q}
            onChange={(event) => setQ(event.currentTarget.value)}
            style={{ flex: 1 }}
            maw={560}
            maxLength={255}
            autoComplete="off"
          />
          <Button type="submit" loading={search.isBusy} leftSection={<IconSearch size={18} />}>
            {t.search_submit}
          </Button>
          {hasSearched && (
            <Button variant="default" onClick={clear}>
              {t.search_clear}
            </Button>
          )}
        </Group>
        {search.fault && <FaultAlert fault={search.fault} />}
      </form>
    </search>
  )
}

function UserList({ site }: { site: SiteReference }) {
  const { users: t, common } = useTexts()
  const [page, setPage] = useState(0)
  const [createdWithin, setCreated] = useState<string | null>(null)
  const [lastLoginWithin, setLogin] = useState<string | null>(null)
  const [mapped, setMapped] = useState<'mapped_only' | 'not_mapped_only' | null>(null)
  const query = useRead(
    'listUsers',
    {
      ...site,
      limit: pageSize,
      page,
      ...(createdWithin ? { created_within: createdWithin } : {}),
      ...(lastLoginWithin ? { last_login_within: lastLoginWithin } : {}),
      ...(mapped ? { mapped } : {}),
    },
    { keepPrevious: true },
  )
  const spans = periods.map((value) => ({ value, label: t.periods[value] }))
  const resetPage =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      setPage(0)
    }
  return (
    <>
      <Group>
        <Select
          label={t.created}
          placeholder={t.any}
          data={spans}
          value={createdWithin}
          onChange={resetPage(setCreated)}
          clearable
        />
        <Select
          label={t.last_login}
          placeholder={t.any}
          data={spans}
          value={lastLoginWithin}
          onChange={resetPage(setLogin)}
          clearable
        />
        <Select
          label={t.primary_key}
          placeholder={t.mapped_any}
          data={(['mapped_only', 'not_mapped_only'] as const).map((value) => ({ value, label: t.mapped[value] }))}
          value={mapped}
          onChange={resetPage(setMapped)}
          clearable
        />
      </Group>
      <Loaded of={query}>
        {({ users, total }) => (
          <>
            <Text size="sm" c="dimmed" role="status">
              {t.count({ count: total })}
            </Text>
            <UserTable site={site} users={users} empty={t.empty} />
            {total > pageSize && (
              <Pagination
                total={Math.ceil(total / pageSize)}
                value={page + 1}
                onChange={(next) => setPage(next - 1)}
                getControlProps={(control) => ({
                  'aria-label': control === 'previous' ? common.previous : control === 'next' ? common.next : control,
                })}
                aria-label={common.pages}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

export function UserTable({ site, users, empty }: { site: SiteReference; users: readonly User[]; empty: string }) {
  const { users: t, common } = useTexts()
  const nameProvider = useNameProvider()
  const format = useFormat()
  return (
    <DataTable
      label={t.title}
      rows={users}
      name={({ identifier }) => identifier}
      empty={empty}
      columns={[
        {
          title: t.identifier,
          cell: ({ identifier }) => (
            <Anchor component={Link} href={paths.user(site, identifier)} ff="monospace" size="sm" title={identifier}>
              {identifier.length > 16 ? `${identifier.slice(0, 16)}…` : identifier}
            </Anchor>
          ),
        },
        {
          title: t.primary_key,
          cell: ({ primary_key }) =>
            primary_key ?? (
              <Text span inherit c="dimmed">
                {common.none}
              </Text>
            ),
        },
        {
          title: t.last_login,
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
        { title: t.logins, number: true, cell: ({ login_count }) => format.number(login_count) },
        { title: common.created, cell: ({ created_at }) => <DateTime at={created_at} /> },
      ]}
    />
  )
}
