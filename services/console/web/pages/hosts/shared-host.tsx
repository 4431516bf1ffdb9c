import { Alert, Button, Group } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { SiteHosts, SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'

/** Whether the site is served on the installation's own host, and who still uses it. */
export function SharedHost({ site, answer }: { site: SiteReference; answer: SiteHosts }) {
  const { hosts: t } = useTexts('hosts')
  const hasRole = useHasRole(site)
  const { shared_host, uses, revision } = answer
  const turn = (on: boolean) => mutate('changeSharedHost', { ...site, shared_host: on }, { revision })
  const turnOn = useAction(() => turn(true))
  return (
    <>
      <Section title={t.shared} about={t.shared_about}>
        <Alert color={shared_host ? 'teal' : 'gray'} title={shared_host ? t.shared_states.on : t.shared_states.off}>
          <Group>
            {hasRole('owner') && shared_host && (
              <DangerButton
                label={t.turn_off}
                title={t.shared_off_title}
                warning={t.shared_off_warning}
                change={() => turn(false)}
              />
            )}
            {hasRole('owner') && !shared_host && (
              <Button size="compact-sm" variant="default" loading={turnOn.isBusy} onClick={() => turnOn.run()}>
                {t.turn_on}
              </Button>
            )}
          </Group>
        </Alert>
        {turnOn.fault && <FaultAlert fault={turnOn.fault} />}
      </Section>
      <Section title={t.uses}>
        <DataTable
          label={t.uses}
          rows={uses}
          name={({ client_id, host }) => `${client_id} ${host}`}
          empty={t.no_uses}
          columns={[
            { title: t.client, value: ({ client_name }) => client_name },
            { title: t.host, cell: ({ host }) => host ?? t.installation },
            { title: t.last_used, value: ({ last_used_on }) => last_used_on },
          ]}
        />
      </Section>
    </>
  )
}
