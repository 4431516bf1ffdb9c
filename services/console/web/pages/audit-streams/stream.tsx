import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { AuditStream } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { DateTime } from '../../parts/date-time.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { RemoveSection } from '../../parts/remove-section.tsx'
import { useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { type StreamOwner, streamProcedures, useStream } from './scope.ts'
import { SendTestRecord } from './send-test-record.tsx'
import { StreamFields, toStreamInput, toStreamValues, useStreamValidators } from './stream-fields.tsx'
import { StreamSecrets } from './stream-secrets.tsx'
import { FailingAlert, StreamState } from './stream-state.tsx'

/** State, settings and secrets of a stream. */
export function StreamPage({ scope, stream_id }: { scope: StreamOwner; stream_id: string }) {
  const { audit_streams: t } = useTexts('audit_streams')
  const query = useStream(scope, stream_id)
  return (
    <Page
      title={query.data?.name ?? t.one}
      actions={
        query.data && (
          <Group>
            <StreamState of={query.data} />
            <SendTestRecord scope={scope} stream_id={stream_id} />
          </Group>
        )
      }
    >
      <Loaded of={query}>{(stream) => <StreamDetails scope={scope} stream={stream} />}</Loaded>
    </Page>
  )
}

function StreamDetails({ scope, stream }: { scope: StreamOwner; stream: AuditStream }) {
  const { audit_streams: t, common } = useTexts('audit_streams')
  const [, navigate] = useLocation()
  const form = useDocumentedForm('audit_stream', {
    initialValues: toStreamValues(stream),
    validate: useStreamValidators(),
  })
  const { stream_id, kind, revision } = stream
  const { read, change, remove } = streamProcedures(scope)
  const labels = {
    name: common.name,
    url: 'URL',
    headers: t.headers,
    host: t.host,
    port: t.port,
    ca_certificate: t.ca_certificate,
    certificate: t.certificate,
    private_key: t.private_key,
    enabled: t.enabled,
  }
  const showStreams = () => navigate(paths.auditStreams(scope), { replace: true })
  return (
    <>
      <FailingAlert of={stream} />
      <Progress of={stream} />
      <Section title={t.settings} about={t.kinds[kind]}>
        <ChangeForm
          form={form}
          labels={labels}
          revision={revision}
          reread={async () => toVersion(await read(stream_id))}
          save={async (values, from) =>
            toVersion(await change({ stream_id, ...toStreamInput(values) }, { revision: from }))
          }
        >
          <StreamFields form={form} stored={stream} />
        </ChangeForm>
      </Section>
      {kind === 'webhook' && <StreamSecrets scope={scope} stream={stream} />}
      <RemoveSection
        label={t.remove}
        about={t.remove_about}
        title={t.remove_title({ name: stream.name })}
        warning={t.remove_warning}
        remove={() => remove(stream_id, { beforeRefresh: showStreams })}
      />
    </>
  )
}

const toVersion = (stream: AuditStream) => ({ values: toStreamValues(stream), revision: stream.revision })

/** What was sent, and how far the stream is behind. */
function Progress({ of: { sent, backlog, oldest_age_seconds, last_success_at } }: { of: AuditStream }) {
  const { audit_streams: t, common } = useTexts('audit_streams')
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      <Figure label={t.sent}>{t.count({ count: sent })}</Figure>
      <Figure label={t.backlog}>{t.count({ count: backlog })}</Figure>
      <Figure label={t.lag}>
        {backlog === 0 ? common.none : <DateTime at={secondsAgo(oldest_age_seconds)} relative />}
      </Figure>
      <Figure label={t.last_success}>
        <DateTime at={last_success_at} relative />
      </Figure>
    </SimpleGrid>
  )
}

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Stack gap={0}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fw={600}>{children}</Text>
    </Stack>
  )
}
