import { NativeSelect } from '@mantine/core'
import type { AuditStream } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'
import { type StreamOwner, streamProcedures } from './scope.ts'

const overlaps = ['0', '1', '24', '168'] as const

/** The valid secrets of a webhook, and their replacement. */
export function StreamSecrets({ scope, stream }: { scope: StreamOwner; stream: AuditStream }) {
  const { audit_streams: t, common } = useTexts('audit_streams')
  return (
    <Section
      title={t.secrets}
      about={t.secrets_about}
      actions={<RollSecret scope={scope} stream_id={stream.stream_id} />}
    >
      <DataTable
        label={t.secrets}
        rows={stream.secrets}
        name={({ created_at }) => created_at}
        empty={common.nothing}
        columns={[
          { title: common.created, time: ({ created_at }) => created_at },
          {
            title: t.expires,
            cell: ({ expires_at }) => (expires_at === null ? common.never : <DateTime at={expires_at} relative />),
          },
        ]}
      />
    </Section>
  )
}

function RollSecret({ scope, stream_id }: { scope: StreamOwner; stream_id: string }) {
  const { audit_streams: t } = useTexts('audit_streams')
  return (
    <FormDialog
      label={t.roll}
      button={{ variant: 'default' }}
      initial={{ overlap: '24' }}
      fields={(form) => (
        <NativeSelect
          label={t.overlap}
          description={t.overlap_hint}
          data={overlaps.map((value) => ({ value, label: t.overlaps[value] }))}
          {...form.getInputProps('overlap')}
        />
      )}
      save={async ({ overlap }) => {
        const { secret } = await streamProcedures(scope).rollSecret({ stream_id, overlap_hours: Number(overlap) })
        return { title: t.rolled, advice: t.secret_advice, values: [{ label: t.secret, value: secret ?? '' }] }
      }}
    />
  )
}
