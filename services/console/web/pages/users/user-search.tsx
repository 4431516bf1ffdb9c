import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { call } from '../../admin/call.ts'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { FoundUsers, SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { DataTable } from '../../parts/table/data-table.tsx'
import { paths } from '../../shell/paths.ts'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { UserLink } from './user-link.tsx'
import { UserPicture } from './user-picture.tsx'

interface SearchProps {
  readonly site: SiteReference
  readonly onFound: (found: FoundUsers | undefined) => void
}

/** Finds users by what is known of them. A user with exactly this ID, address or number is opened at once. */
export function UserSearchBox({ site, onFound }: SearchProps) {
  const { users: t } = useTexts('users')
  // Sentences in Japanese have no space between them.
  const separator = useLanguage().language === 'ja' ? '' : ' '
  const { data: setting } = useRead('readUserSearch', site)
  const [q, setQ] = useState('')
  const [hasSearched, setSearched] = useState(false)
  const [, navigate] = useLocation()
  const search = useAction(async () => {
    const found = await call('findUsers', { ...site, q })
    const [only] = found.users
    const isExact = only?.matches.some(({ field }) => field !== 'name' && field !== 'metadata')
    if (only && isExact && found.users.length === 1 && !found.more) navigate(paths.user(site, only.identifier))
    onFound(found)
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
            description={[t.search_hint, ...(setting?.fields ?? []).map((field) => t.search_hints[field])].join(
              separator,
            )}
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

/** The result of a search. */
export function FoundUserTable({ site, found }: { site: SiteReference; found: FoundUsers }) {
  const { users: t, common } = useTexts('users')
  const nameProvider = useNameProvider()
  const none = (
    <Text span inherit c="dimmed">
      {common.none}
    </Text>
  )
  return (
    <Stack gap="sm">
      <SearchNotes found={found} />
      <DataTable
        label={t.found}
        keep="found-users"
        rows={found.users}
        name={({ identifier }) => identifier}
        empty={<NothingFound site={site} found={found} />}
        columns={[
          {
            title: t.name,
            value: ({ name, identifier }) => name ?? identifier,
            cell: (user) => (
              <Group gap="xs" wrap="nowrap">
                <UserPicture picture={user.picture} name={user.name} />
                <UserLink site={site} user={user} name={user.name} />
              </Group>
            ),
          },
          { title: t.email, value: ({ email }) => email, cell: ({ email }) => email ?? none },
          {
            title: t.primary_key,
            value: ({ primary_key }) => primary_key,
            cell: ({ primary_key }) => primary_key ?? none,
          },
          {
            title: t.providers,
            value: ({ providers }) => providers.map(nameProvider).join(', '),
          },
          {
            title: t.matched,
            value: ({ matches }) =>
              matches
                .map(({ field, providers }) =>
                  providers.length === 0
                    ? t.matched_fields[field]
                    : t.matched_by({
                        field: t.matched_fields[field],
                        providers: providers.map(nameProvider).join(', '),
                      }),
                )
                .join(' · '),
          },
          {
            title: t.last_login,
            value: ({ last_logged_in_at }) => last_logged_in_at,
            cell: ({ last_logged_in_at }) => <DateTime at={last_logged_in_at} relative />,
          },
        ]}
      />
    </Stack>
  )
}

function SearchNotes({ found: { users, more, indexing, unavailable } }: { found: FoundUsers }) {
  const { users: t } = useTexts('users')
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {more ? t.found_more({ count: users.length }) : t.found_count({ count: users.length })}
      </Text>
      {unavailable.length > 0 && <Alert color="yellow">{t.search_unavailable}</Alert>}
      {indexing && <Alert color="gray">{t.search_indexing}</Alert>}
    </>
  )
}

/** Says by what was searched, and where to switch on the rest. */
function NothingFound({ site, found: { fields, unavailable } }: { site: SiteReference; found: FoundUsers }) {
  const { users: t } = useTexts('users')
  const hasRole = useHasRole(site)
  const off = (['email', 'phone_number', 'name'] as const).filter((field) => !fields.includes(field))
  return (
    <Stack gap="xs">
      <Text inherit>{t.none_found}</Text>
      {off.length > 0 && unavailable.length === 0 && (
        <Text inherit>
          {t.search_off({ fields: off.map((field) => t.matched_fields[field]).join(', ') })}{' '}
          {hasRole('editor') ? (
            <Anchor component={Link} href={paths.settings(site)} inherit>
              {t.search_switch_on}
            </Anchor>
          ) : (
            t.search_ask_editor
          )}
        </Text>
      )}
    </Stack>
  )
}
