import { useHasRole } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { SiteHosts, SiteReference } from '../../admin/types.ts'
import { OnOff } from '../../parts/on-off.tsx'
import { Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'

/** Whether the site is served on the installation's own host, and who still uses it. */
export function SharedHost({ site, answer }: { site: SiteReference; answer: SiteHosts }) {
  const { hosts: t } = useTexts('hosts')
  const hasRole = useHasRole(site)
  const { shared_host, uses, revision } = answer
  const turn = (on: boolean) => mutate('changeSharedHost', { ...site, shared_host: on }, { revision })
  const texts = {
    states: t.shared_states,
    turn_on: t.turn_on,
    turn_off: t.turn_off,
    turn_off_title: t.shared_off_title,
    turn_off_warning: t.shared_off_warning,
  }
  return (
    <>
      <Section title={t.shared} about={t.shared_about}>
        <OnOff isOn={shared_host} texts={texts} readonly={!hasRole('owner')} turn={turn} />
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
