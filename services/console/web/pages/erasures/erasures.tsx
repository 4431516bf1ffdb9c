import { Anchor, Badge } from '@mantine/core'
import { Link } from 'wouter'
import { useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { PageButtons, useCursorPages } from '../../parts/table/cursor-pages.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'

const pageSize = 50
const refreshMs = 3_000

const getRefreshInterval = (read: AdminOutput<'listErasures'> | undefined) =>
  read?.erasures.some(({ completed_at }) => completed_at === null) === true && refreshMs

/** Deleted users of a site, and whether the receipts are complete. */
export function ErasuresPage({ site }: { site: SiteReference }) {
  const { erasures: t } = useTexts('erasures')
  const pages = useCursorPages()
  const { after } = pages
  const query = useRead(
    'listErasures',
    { ...site, limit: pageSize, ...(after === undefined ? {} : { after }) },
    { keepPrevious: true, intervalMs: getRefreshInterval },
  )
  return (
    <Page title={t.title} about={t.about}>
      <Loaded of={query}>
        {({ erasures, next }) => (
          <>
            <DataTable
              label={t.title}
              keep="erasures"
              rows={erasures}
              name={({ identifier, deleted_at }) => `${identifier} ${deleted_at}`}
              empty={t.empty}
              columns={[
                {
                  title: t.identifier,
                  value: ({ identifier }) => identifier,
                  cell: ({ identifier }) => (
                    <Anchor component={Link} href={paths.erasure(site, identifier)} ff="monospace" size="sm">
                      {identifier}
                    </Anchor>
                  ),
                },
                { title: t.deleted_at, time: ({ deleted_at }) => deleted_at },
                { title: t.requested_by, value: ({ requested_by }) => t.causes[requested_by] },
                {
                  title: t.receipt,
                  value: ({ completed_at }) => (completed_at === null ? t.pending : t.complete),
                  cell: ({ completed_at }) => <ReceiptState completed={completed_at !== null} />,
                },
              ]}
            />
            <PageButtons of={pages} next={next ?? undefined} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function ReceiptState({ completed }: { completed: boolean }) {
  const { erasures: t } = useTexts('erasures')
  return (
    <Badge variant="light" color={completed ? 'teal' : 'gray'}>
      {completed ? t.complete : t.pending}
    </Badge>
  )
}
