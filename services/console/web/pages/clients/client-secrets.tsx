import { Button, Code } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../admin/may.ts'
import { act } from '../../admin/queries.ts'
import type { Client, SiteName } from '../../admin/types.ts'
import { useAct } from '../../admin/use-act.ts'
import { Danger } from '../../parts/danger.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { ToldOnce } from '../../parts/told-once.tsx'
import { useTexts } from '../../texts/index.tsx'

const liveMost = 2

/** The live secrets of a client; a second one is issued so that they are changed without a pause. */
export function ClientSecrets({ site, client }: { site: SiteName; client: Client }) {
  const { clients: t, common } = useTexts()
  const may = useMay(site.account)
  const [secret, setSecret] = useState<string>()
  const name = { ...site, client_id: client.client_id }
  const issuing = useAct(async () => setSecret((await act('issueClientSecret', name)).client_secret))
  return (
    <Section
      title={t.secrets}
      about={t.secrets_about}
      actions={
        may('owner') && (
          <Button
            variant="default"
            leftSection={<IconPlus size={18} />}
            loading={issuing.busy}
            disabled={client.secrets.length >= liveMost}
            onClick={() => issuing.run()}
          >
            {t.issue_secret}
          </Button>
        )
      }
    >
      {issuing.fault && <Failure fault={issuing.fault} />}
      <Rows
        label={t.secrets}
        rows={client.secrets}
        name={({ secret_id }) => secret_id}
        empty={common.nothing}
        columns={[
          { title: t.secret_id, cell: ({ secret_id }) => <Code>{secret_id}</Code> },
          { title: common.created, cell: ({ created_at }) => <Moment at={created_at} /> },
          {
            title: null,
            number: true,
            cell: ({ secret_id }) =>
              may('owner') &&
              client.secrets.length > 1 && (
                <Danger
                  label={t.revoke_secret}
                  title={t.revoke_secret_title}
                  warning={t.revoke_secret_warning}
                  change={() => act('revokeClientSecret', { ...name, secret_id })}
                />
              ),
          },
        ]}
      />
      {secret !== undefined && (
        <ToldOnce
          title={t.secret_issued}
          advice={t.secret_second_advice}
          values={[{ label: t.client_secret, value: secret }]}
          onKept={() => setSecret(undefined)}
        />
      )}
    </Section>
  )
}
