import { Button, Code } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { Client, SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { OneTimeSecretDialog } from '../../parts/one-time-secret.tsx'
import { Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'

const maxActiveSecrets = 2

/** The active secrets of a client. A second one allows rotation without downtime. */
export function ClientSecrets({ site, client }: { site: SiteReference; client: Client }) {
  const { clients: t, common } = useTexts('clients')
  const hasRole = useHasRole(site)
  const [secret, setSecret] = useState<string>()
  const name = { ...site, client_id: client.client_id }
  const issuing = useAction(async () => setSecret((await mutate('issueClientSecret', name)).client_secret))
  return (
    <Section
      title={t.secrets}
      about={t.secrets_about}
      actions={
        hasRole('owner') && (
          <Button
            variant="default"
            leftSection={<IconPlus size={18} />}
            loading={issuing.isBusy}
            disabled={client.secrets.length >= maxActiveSecrets}
            onClick={() => issuing.run()}
          >
            {t.issue_secret}
          </Button>
        )
      }
    >
      {issuing.fault && <FaultAlert fault={issuing.fault} />}
      <DataTable
        label={t.secrets}
        rows={client.secrets}
        name={({ secret_id }) => secret_id}
        empty={common.nothing}
        columns={[
          { title: t.secret_id, cell: ({ secret_id }) => <Code>{secret_id}</Code> },
          { title: common.created, time: ({ created_at }) => created_at },
          {
            title: null,
            number: true,
            cell: ({ secret_id }) =>
              hasRole('owner') &&
              client.secrets.length > 1 && (
                <DangerButton
                  label={t.revoke_secret}
                  title={t.revoke_secret_title}
                  warning={t.revoke_secret_warning}
                  change={() => mutate('revokeClientSecret', { ...name, secret_id })}
                />
              ),
          },
        ]}
      />
      {secret !== undefined && (
        <OneTimeSecretDialog
          title={t.secret_issued}
          advice={t.secret_second_advice}
          values={[{ label: t.client_secret, value: secret }]}
          onKept={() => setSecret(undefined)}
        />
      )}
    </Section>
  )
}
