import { Anchor, Badge } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { Client, SiteReference } from '../../admin/types.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { EmptyList } from '../../parts/table/empty-list.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { ClientFields, newClient, parseAddressFields, useClientValidators } from './client-fields.tsx'

/** The clients of a site. */
export function ClientsPage({ site }: { site: SiteReference }) {
  const { clients: t, common } = useTexts('clients')
  const query = useRead('listClients', site)
  const hasRole = useHasRole(site)
  return (
    <Page title={t.title} about={t.about} actions={hasRole('editor') && <CreateClient site={site} />}>
      <Loaded of={query}>
        {({ clients }) => (
          <DataTable
            label={t.title}
            keep="clients"
            rows={clients}
            name={({ client_id }) => client_id}
            empty={<EmptyList action={hasRole('editor') && t.create}>{t.empty}</EmptyList>}
            bulk={hasRole('owner') && ((selected) => <RemoveClients site={site} clients={selected} />)}
            columns={[
              {
                title: common.name,
                value: ({ name }) => name,
                cell: ({ client_id, name }) => (
                  <Anchor component={Link} href={paths.client(site, client_id)} fw={500}>
                    {name}
                  </Anchor>
                ),
              },
              {
                title: t.kind,
                value: ({ kind }) => t.kinds[kind],
                cell: ({ kind }) => <Badge variant="light">{t.kinds[kind]}</Badge>,
              },
              { title: t.callbacks, number: true, value: ({ redirect_uris }) => redirect_uris.length },
              { title: common.created, time: ({ created_at }) => created_at },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

/** Removes the clients that are selected, one after the other. Those that remain after an error stay selected. */
function RemoveClients({ site, clients }: { site: SiteReference; clients: readonly Client[] }) {
  const { clients: t } = useTexts('clients')
  const count = clients.length
  return (
    <DangerButton
      label={t.remove_several({ count })}
      title={t.remove_several_title({ count })}
      warning={t.remove_warning}
      change={async () => {
        for (const { client_id } of clients) await mutate('removeClient', { ...site, client_id })
      }}
    />
  )
}

function CreateClient({ site }: { site: SiteReference }) {
  const { clients: t } = useTexts('clients')
  const [, navigate] = useLocation()
  return (
    <FormDialog
      documented="client"
      label={t.create}
      isAction
      size="lg"
      initial={newClient}
      validate={useClientValidators()}
      fields={(form) => <ClientFields form={form} create />}
      save={async (values) => {
        const created = await mutate('createClient', { ...site, ...values, ...parseAddressFields(values) })
        const { client_id } = created.client
        const show = () => navigate(paths.client(site, client_id))
        if (created.client_secret === null) {
          show()
          return undefined
        }
        const secrets = [
          { label: t.client_id, value: client_id },
          { label: t.client_secret, value: created.client_secret },
        ]
        return { title: t.created, advice: t.secret_advice, values: secrets, next: show }
      }}
    />
  )
}
