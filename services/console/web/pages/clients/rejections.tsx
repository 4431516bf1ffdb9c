import { Code, Stack, Text } from '@mantine/core'
import { useRead } from '../../admin/queries.ts'
import type { Output, SiteName } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useTexts } from '../../texts/index.tsx'

type Rejection = Output<'listRejections'>['rejections'][number]

/** The recently rejected requests of a client, with reasons. */
export function Rejections({ site, client_id }: { site: SiteName; client_id: string }) {
  const { rejections: t, insight } = useTexts()
  const query = useRead('listRejections', { ...site, client_id })
  return (
    <Section title={t.title} about={t.about}>
      <Loaded of={query}>
        {({ rejections }) => (
          <Rows
            label={t.title}
            rows={rejections}
            name={({ request_id }) => request_id}
            empty={t.empty}
            columns={[
              { title: insight.at, cell: ({ at }) => <Moment at={at} relative /> },
              { title: t.why, cell: (rejection) => <Why of={rejection} /> },
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

function Why({ of }: { of: Rejection }) {
  const { rejections: t, rejection_explanations, insight } = useTexts()
  return (
    <Stack gap={4} maw={560} miw={240}>
      <Text size="sm">{rejection_explanations[of.reason]}</Text>
      {of.error !== null && (
        <Text size="sm" c="dimmed">
          {insight.endpoints[of.endpoint]}: <Code>{of.error}</Code> {of.error_description}
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
