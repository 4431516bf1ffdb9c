import { Anchor, Badge, Button, Group, Pagination, Select, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { call } from '../../admin/call.ts'
import { useRead } from '../../admin/queries.ts'
import type { SiteName, User } from '../../admin/types.ts'
import { useAct } from '../../admin/use-act.ts'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { placeOf } from '../../shell/places.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

const pageSize = 20
const periods = ['1d', '7d', '30d', '90d', '365d'] as const

/** The users of a site: found by what denotes one exactly, or paged through with filters. */
export function Users({ site }: { site: SiteName }) {
  const { users: t } = useTexts()
  const [found, setFound] = useState<User[]>()
  return (
    <Page title={t.title} about={t.about}>
      <Search site={site} onFound={setFound} />
      {found === undefined ? <Listed site={site} /> : <UserTable site={site} users={found} empty={t.none_found} />}
    </Page>
  )
}

function Search({ site, onFound }: { site: SiteName; onFound: (users: User[] | undefined) => void }) {
  const { users: t } = useTexts()
  const [q, setQ] = useState('')
  const [searched, setSearched] = useState(false)
  const [, navigate] = useLocation()
  const search = useAct(async () => {
    const { users } = await call('findUsers', { ...site, q })
    const [only] = users
    if (only && users.length === 1) navigate(placeOf.user(site, only.identifier))
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
          <Button type="submit" loading={search.busy} leftSection={<IconSearch size={18} />}>
            {t.search_do}
          </Button>
          {searched && (
            <Button variant="default" onClick={clear}>
              {t.search_clear}
            </Button>
          )}
        </Group>
        {search.fault && <Failure fault={search.fault} />}
      </form>
    </search>
  )
}

function Listed({ site }: { site: SiteName }) {
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
    { keep: true },
  )
  const spans = periods.map((value) => ({ value, label: t.periods[value] }))
  const first =
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
          onChange={first(setCreated)}
          clearable
        />
        <Select
          label={t.last_login}
          placeholder={t.any}
          data={spans}
          value={lastLoginWithin}
          onChange={first(setLogin)}
          clearable
        />
        <Select
          label={t.primary_key}
          placeholder={t.mapped_any}
          data={(['mapped_only', 'not_mapped_only'] as const).map((value) => ({ value, label: t.mapped[value] }))}
          value={mapped}
          onChange={first(setMapped)}
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

export function UserTable({ site, users, empty }: { site: SiteName; users: readonly User[]; empty: string }) {
  const { users: t, common } = useTexts()
  const format = useFormat()
  return (
    <Rows
      label={t.title}
      rows={users}
      name={({ identifier }) => identifier}
      empty={empty}
      columns={[
        {
          title: t.identifier,
          cell: ({ identifier }) => (
            <Anchor component={Link} href={placeOf.user(site, identifier)} ff="monospace" size="sm" title={identifier}>
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
              <Moment at={last_logged_in_at} relative />
              {last_logged_in_provider && (
                <Badge variant="light" color="gray">
                  {common.providers[last_logged_in_provider]}
                </Badge>
              )}
            </Group>
          ),
        },
        { title: t.logins, number: true, cell: ({ login_count }) => format.number(login_count) },
        { title: common.created, cell: ({ created_at }) => <Moment at={created_at} /> },
      ]}
    />
  )
}
