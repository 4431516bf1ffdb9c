import { Code, Stack, Text } from '@mantine/core'
import { Suspense } from 'react'
import { useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference } from '../../admin/types.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { DateTime } from '../../parts/date-time.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { useExplanations, useTexts } from '../../texts/index.tsx'

type Rejection = AdminOutput<'listRejections'>['rejections'][number]

/** The recently rejected requests of a client, with reasons. */
export function RejectionTable({ site, client_id }: { site: SiteReference; client_id: string }) {
  const { rejections: t, usage } = useTexts()
  const query = useRead('listRejections', { ...site, client_id })
  return (
    <Section title={t.title} about={t.about}>
      <Loaded of={query}>
        {({ rejections }) => (
          <DataTable
            label={t.title}
            rows={rejections}
            name={({ request_id }) => request_id}
            empty={t.empty}
            columns={[
              { title: usage.at, cell: ({ at }) => <DateTime at={at} relative /> },
              {
                title: t.why,
                cell: (rejection) => (
                  <Suspense>
                    <RejectionReason of={rejection} />
                  </Suspense>
                ),
              },
              {
                title: t.request_id,
                cell: ({ request_id }) => (
                  <Code fz="xs" style={{ overflowWrap: 'anywhere' }}>
                    {request_id}
                  </Code>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function RejectionReason({ of }: { of: Rejection }) {
  const { rejections: t, usage } = useTexts()
  const explanations = useExplanations()
  return (
    <Stack gap={4} maw={560} miw={240}>
      <Text size="sm">{explanations.rejections[of.reason]}</Text>
      {of.error !== null && (
        <Text size="sm" c="dimmed">
          {usage.endpoints[of.endpoint]}: <Code>{of.error}</Code> {of.error_description}
        </Text>
      )}
      {of.redirect_uri !== null && of.reason !== 'client_secret_wrong' && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {t.received} <Code>{of.redirect_uri}</Code>
        </Text>
      )}
    </Stack>
  )
}
