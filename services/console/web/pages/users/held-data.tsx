import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useRead } from '../../admin/queries.ts'
import type { HeldData, SiteReference } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { HeldFacts, HeldTable } from './held-records.tsx'

type HeldSection = HeldData['sections'][number]

/** Everything that all services store about a user, to read, print and download. */
export function HeldDataPage({ site, identifier }: { site: SiteReference; identifier: string }) {
  const { held_data: t } = useTexts('held_data')
  const query = useRead('readHeldData', { ...site, identifier }, { personal: true })
  return (
    <Page title={t.title} about={t.about} actions={query.data && <Actions data={query.data} />}>
      <Loaded of={query}>{(data) => <Sections data={data} />}</Loaded>
    </Page>
  )
}

function Actions({ data }: { data: HeldData }) {
  const { held_data: t } = useTexts('held_data')
  return (
    <Group gap="sm" className="screen-only">
      <Button variant="default" leftSection={<IconDownload size={18} />} onClick={() => saveFile(data)}>
        {t.download}
      </Button>
      <Button variant="default" leftSection={<IconPrinter size={18} />} onClick={() => print()}>
        {t.print}
      </Button>
    </Group>
  )
}

function saveFile(data: HeldData): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, undefined, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `user-${data.identifier}.json`
  link.click()
  URL.revokeObjectURL(url)
}

function Sections({ data }: { data: HeldData }) {
  const { held_data: t } = useTexts('held_data')
  const format = useFormat()
  const { account, site_id, identifier, read_at, sections, unavailable } = data
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t.subject({ identifier, site: `${account}/${site_id}`, time: format.exact(read_at) })}
      </Text>
      {unavailable.length > 0 && (
        <Alert color="yellow" title={t.unavailable}>
          {unavailable.map((kind) => t.kinds[kind].title).join(', ')}
        </Alert>
      )}
      {sections.map((section) => (
        <HeldSectionView key={section.kind} section={section} />
      ))}
    </>
  )
}

/** Kinds whose records are not of one form each: below each other instead of in a table. */
const factKinds = new Set<HeldSection['kind']>(['user', 'metadata', 'deletion', 'profile', 'provider_data'])

function HeldSectionView({ section: { kind, service, since, records, more } }: { section: HeldSection }) {
  const { held_data: t } = useTexts('held_data')
  const format = useFormat()
  const { title, holds, kept } = t.kinds[kind]
  const notes = [
    `${t.kept}: ${kept}`,
    ...(since === null ? [] : [`${t.since}: ${format.moment(since)}`]),
    `${t.service}: ${service}`,
  ]
  return (
    <Section title={title} about={holds}>
      <Text size="sm" c="dimmed">
        {notes.join(' · ')}
      </Text>
      {records.length === 0 ? (
        <Text size="sm">{t.empty}</Text>
      ) : factKinds.has(kind) ? (
        <Stack gap="sm">
          {records.map((record, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the records are read once, and have no ID of their own
            <HeldFacts key={index} record={record} label={title} />
          ))}
        </Stack>
      ) : (
        <HeldTable records={records} label={title} />
      )}
      {more && <Text size="sm">{t.more}</Text>}
    </Section>
  )
}
