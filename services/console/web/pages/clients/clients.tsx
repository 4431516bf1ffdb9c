import { Anchor, Badge } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { DateTime } from '../../parts/date-time.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { ClientFields, newClient, parseAddressFields, useClientValidators } from './client-fields.tsx'

/** The clients of a site. */
export function ClientsPage({ site }: { site: SiteReference }) {
  const { clients: t, common } = useTexts()
  const query = useRead('listClients', site)
  const hasRole = useHasRole(site.account)
  return (
    <Page title={t.title} about={t.about} actions={hasRole('editor') && <CreateClient site={site} />}>
      <Loaded of={query}>
        {({ clients }) => (
          <DataTable
            label={t.title}
            rows={clients}
            name={({ client_id }) => client_id}
            empty={t.empty}
            columns={[
              {
                title: common.name,
                cell: ({ client_id, name }) => (
                  <Anchor component={Link} href={paths.client(site, client_id)} fw={500}>
                    {name}
                  </Anchor>
                ),
              },
              { title: t.kind, cell: ({ kind }) => <Badge variant="light">{t.kinds[kind]}</Badge> },
              { title: t.callbacks, number: true, cell: ({ redirect_uris }) => redirect_uris.length },
              { title: common.created, cell: ({ created_at }) => <DateTime at={created_at} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

function CreateClient({ site }: { site: SiteReference }) {
  const { clients: t } = useTexts()
  const [, navigate] = useLocation()
  return (
    <FormDialog
      label={t.create}
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
