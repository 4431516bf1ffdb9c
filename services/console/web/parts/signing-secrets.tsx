import { NativeSelect } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'
import { DateTime } from './date-time.tsx'
import { FormDialog } from './form-dialog.tsx'
import type { OneTimeSecret } from './one-time-secret.tsx'
import { Section } from './page.tsx'
import { DataTable } from './table/data-table.tsx'

interface Secret {
  readonly created_at: string
  readonly expires_at: string | null
}

interface Props {
  readonly about: string
  readonly secrets: readonly Secret[]
  /** Replaces the secret; the old one stays valid for some hours. False: the member cannot do it. */
  readonly roll: false | ((overlapHours: number) => Promise<Omit<OneTimeSecret, 'title'>>)
}

const overlaps = ['0', '1', '24', '168'] as const

/** The valid secrets with which requests to a receiver are signed, and their replacement. */
export function SigningSecrets({ about, secrets, roll }: Props) {
  const { webhooks: t, common } = useTexts('webhooks')
  return (
    <Section title={t.secrets} about={about} actions={roll && <RollSecret roll={roll} />}>
      <DataTable
        label={t.secrets}
        rows={secrets}
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

function RollSecret({ roll }: { roll: Exclude<Props['roll'], false> }) {
  const { webhooks: t } = useTexts('webhooks')
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
      save={async ({ overlap }) => ({ title: t.rolled, ...(await roll(Number(overlap))) })}
    />
  )
}
