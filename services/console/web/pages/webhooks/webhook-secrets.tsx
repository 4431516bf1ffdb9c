import { Select } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { SiteReference, Webhook } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'

const overlaps = ['0', '1', '24', '168'] as const

/** The valid secrets of a webhook, and their roll-over. */
export function WebhookSecrets({ site, webhook }: { site: SiteReference; webhook: Webhook }) {
  const { webhooks: t, common } = useTexts('webhooks')
  const hasRole = useHasRole(site)
  return (
    <Section
      title={t.secrets}
      about={t.secrets_about}
      actions={hasRole('owner') && <RollSecret site={site} webhook={webhook} />}
    >
      <DataTable
        label={t.secrets}
        rows={webhook.secrets}
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

function RollSecret({ site, webhook: { endpoint_id } }: { site: SiteReference; webhook: Webhook }) {
  const { webhooks: t } = useTexts('webhooks')
  return (
    <FormDialog
      label={t.roll}
      button={{ variant: 'default' }}
      initial={{ overlap: '24' }}
      fields={(form) => (
        <Select
          label={t.overlap}
          description={t.overlap_hint}
          data={overlaps.map((value) => ({ value, label: t.overlaps[value] }))}
          allowDeselect={false}
          {...form.getInputProps('overlap')}
        />
      )}
      save={async ({ overlap }) => {
        const { webhook, secret } = await mutate('rollWebhookSecret', {
          ...site,
          endpoint_id,
          overlap_hours: Number(overlap),
        })
        if (secret !== null)
          return { title: t.rolled, advice: t.secret_advice, values: [{ label: t.secret, value: secret }] }
        const key = webhook.public_key ?? ''
        return { title: t.rolled, advice: t.public_key_advice, values: [{ label: t.public_key, value: key }] }
      }}
    />
  )
}
