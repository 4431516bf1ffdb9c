import { Badge, Button, Group } from '@mantine/core'
import { mutate } from '../../admin/queries.ts'
import type { SiteLook, SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'

interface Props {
  readonly site: SiteReference
  readonly saved: SiteLook
  readonly readonly: boolean
}

/** The published looks of a site. */
export function Versions({ site, saved: { versions, published_version, revision }, readonly }: Props) {
  const { look: t, common } = useTexts('look')
  const restore = useAction((version: number) => mutate('restoreLook', { ...site, version }, { revision }))
  return (
    <Section title={t.tabs.versions} about={t.versions_about}>
      {restore.fault && <FaultAlert fault={restore.fault} />}
      <DataTable
        label={t.tabs.versions}
        rows={versions}
        name={({ version }) => String(version)}
        empty={t.no_versions}
        columns={[
          {
            title: t.tabs.versions,
            cell: ({ version }) => (
              <Group gap="xs">
                {t.version({ version })}
                {version === published_version && (
                  <Badge variant="light" color="teal">
                    {t.current}
                  </Badge>
                )}
              </Group>
            ),
          },
          {
            title: common.created,
            time: ({ published_at }) => published_at,
            cell: ({ published_at, published_by }) => (
              <>
                <DateTime at={published_at} /> {t.published_by({ name: published_by })}
              </>
            ),
          },
          {
            title: null,
            cell: ({ version }) =>
              version !== published_version &&
              !readonly && (
                <Button
                  variant="default"
                  size="compact-sm"
                  loading={restore.isBusy}
                  aria-label={`${t.restore}: ${t.version({ version })}`}
                  onClick={() => restore.run(version)}
                >
                  {t.restore}
                </Button>
              ),
          },
        ]}
      />
    </Section>
  )
}
