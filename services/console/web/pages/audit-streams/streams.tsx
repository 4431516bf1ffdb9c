import { Anchor, Text } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { EmptyList } from '../../parts/table/empty-list.tsx'
import { toUtc } from '../../parts/to-utc.ts'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { type StreamOwner, streamProcedures, useStreams } from './scope.ts'
import { StreamPage } from './stream.tsx'
import { newStream, StreamFields, toStreamInput, useStreamValidators } from './stream-fields.tsx'
import { StreamState } from './stream-state.tsx'

interface Props {
  /** Undefined: the whole installation. */
  readonly account?: string
  readonly stream_id?: string | undefined
}

/** The streams of the audit trail of an account or of the whole installation, or one of them. */
export function AuditStreamsPage({ account, stream_id }: Props) {
  return stream_id === undefined ? (
    <StreamList account={account} />
  ) : (
    <StreamPage scope={account} stream_id={stream_id} />
  )
}

function StreamList({ account }: { account: StreamOwner }) {
  const { audit_streams: t, common } = useTexts('audit_streams')
  const query = useStreams(account)
  return (
    <Page
      title={account === undefined ? t.all_title : t.title}
      about={account === undefined ? t.all_about : t.about}
      actions={<CreateStream scope={account} />}
    >
      <Loaded of={query}>
        {({ streams }) => (
          <DataTable
            label={t.title}
            keep="audit-streams"
            rows={streams}
            name={({ stream_id }) => stream_id}
            empty={<EmptyList action={t.create}>{t.empty}</EmptyList>}
            columns={[
              {
                title: common.name,
                value: ({ name }) => name,
                cell: ({ stream_id, name }) => (
                  <Anchor component={Link} href={paths.auditStream(account, stream_id)} fw={500}>
                    {name}
                  </Anchor>
                ),
              },
              { title: t.kind, value: ({ kind }) => t.kinds[kind] },
              {
                title: t.destination,
                value: ({ url, host, port }) => url ?? `${host}:${port}`,
                cell: ({ url, host, port }) => (
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {url ?? `${host}:${port}`}
                  </Text>
                ),
              },
              { title: t.state, cell: (stream) => <StreamState of={stream} /> },
              { title: t.backlog, number: true, value: ({ backlog }) => backlog },
              { title: t.last_success, time: ({ last_success_at }) => last_success_at },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

function CreateStream({ scope }: { scope: StreamOwner }) {
  const { audit_streams: t } = useTexts('audit_streams')
  const [, navigate] = useLocation()
  return (
    <FormDialog
      documented="audit_stream"
      label={t.create}
      isAction
      size="lg"
      initial={newStream}
      validate={useStreamValidators()}
      fields={(form) => <StreamFields form={form} />}
      save={async (values) => {
        const { kind, from_time } = values
        const { stream, secret } = await streamProcedures(scope).create({
          ...toStreamInput(values),
          kind,
          ...(from_time !== '' && { from_time: toUtc(from_time) }),
        })
        const show = () => navigate(paths.auditStream(scope, stream.stream_id))
        if (secret === null) {
          show()
          return undefined
        }
        return { title: t.created, advice: t.secret_advice, values: [{ label: t.secret, value: secret }], next: show }
      }}
    />
  )
}
