import { Alert, SegmentedControl, Text } from '@mantine/core'
import { useRead } from '../../admin/queries.ts'
import type { Login, SiteReference } from '../../admin/types.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { PageButtons, useCursorPages } from '../../parts/table/cursor-pages.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { LoginFilters } from './login-filters.tsx'
import { LoginGroups } from './login-groups.tsx'
import { LoginTable } from './login-table.tsx'
import { useLiveLogins } from './use-live-logins.ts'
import { type LogFilter, useLoginFilters } from './use-login-filters.ts'

const views = ['list', 'groups', 'live'] as const
const pageSize = 50

/** The log of logins of a site: one by one, by cause, or as they end. */
export function LoginsPage({ site }: { site: SiteReference }) {
  const { logins: t } = useTexts('logins')
  const filters = useLoginFilters()
  const { view: chosen } = filters.chosen
  const view = views.find((one) => one === chosen) ?? 'list'
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <SegmentedControl
          value={view}
          onChange={(value) => filters.change({ view: value === 'list' ? '' : value })}
          data={views.map((value) => ({ value, label: t.views[value] }))}
          aria-label={t.view}
        />
      }
    >
      <LoginFilters site={site} filters={filters} hasTimes={view !== 'live'} />
      {view === 'list' && <List key={JSON.stringify(filters.filter)} site={site} filter={filters.filter} />}
      {view === 'groups' && <Groups site={site} filter={filters.filter} />}
      {view === 'live' && <Live site={site} filter={filters.filter} />}
    </Page>
  )
}

interface ViewProps {
  readonly site: SiteReference
  readonly filter: LogFilter
}

function List({ site, filter }: ViewProps) {
  const pages = useCursorPages()
  const empty = useEmptyText(filter)
  const { after } = pages
  const request = { ...site, ...filter, limit: pageSize, ...(after === undefined ? {} : { cursor: after }) }
  return (
    <Loaded of={useRead('listSiteLogins', request, { keepPrevious: true })}>
      {({ logins, next_cursor, complete_since }) => (
        <>
          <Incomplete since={complete_since} />
          <LoginTable site={site} logins={logins} empty={empty} />
          <PageButtons of={pages} next={next_cursor ?? undefined} />
        </>
      )}
    </Loaded>
  )
}

function Groups({ site, filter }: ViewProps) {
  const { logins: t } = useTexts('logins')
  const empty = useEmptyText(filter)
  return (
    <Loaded of={useRead('groupSiteLogins', { ...site, ...filter }, { keepPrevious: true })}>
      {({ groups, more, complete_since }) => (
        <>
          <Incomplete since={complete_since} />
          <LoginGroups site={site} groups={groups} empty={empty} />
          {more && <Text size="sm">{t.more_groups}</Text>}
        </>
      )}
    </Loaded>
  )
}

function Live({ site, filter }: ViewProps) {
  const { logins: t } = useTexts('logins')
  const { logins, fault } = useLiveLogins(site)
  const { since: _, until: __, ...fields } = filter
  const matches = (login: Login) => Object.entries(fields).every(([name, value]) => Reflect.get(login, name) === value)
  return (
    <>
      {fault && <FaultAlert fault={fault} />}
      <Text size="sm" c="dimmed">
        {t.live_note}
      </Text>
      <LoginTable site={site} logins={logins.filter(matches)} empty={t.live_empty} />
    </>
  )
}

/** Says from when on the log is complete. */
function Incomplete({ since }: { since: string | null }) {
  const { logins: t } = useTexts('logins')
  const format = useFormat()
  return since !== null && <Alert color="yellow">{t.incomplete({ at: format.moment(since) })}</Alert>
}

function useEmptyText(filter: LogFilter): string {
  const { logins: t } = useTexts('logins')
  return Object.keys(filter).length === 0 ? t.empty_site : t.empty
}
