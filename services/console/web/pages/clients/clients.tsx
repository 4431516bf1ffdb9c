import { Anchor, Badge } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useMay } from '../../admin/may.ts'
import { act, useRead } from '../../admin/queries.ts'
import type { SiteName } from '../../admin/types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { placeOf } from '../../shell/places.ts'
import { useTexts } from '../../texts/index.tsx'
import { addressesOf, ClientFields, newClient, useClientChecks } from './client-fields.tsx'

/** The applications that send people to log in. */
export function Clients({ site }: { site: SiteName }) {
  const { clients: t, common } = useTexts()
  const query = useRead('listClients', site)
  const may = useMay(site.account)
  return (
    <Page title={t.title} about={t.about} actions={may('editor') && <CreateClient site={site} />}>
      <Loaded of={query}>
        {({ clients }) => (
          <Rows
            label={t.title}
            rows={clients}
            name={({ client_id }) => client_id}
            empty={t.empty}
            columns={[
              {
                title: common.name,
                cell: ({ client_id, name }) => (
                  <Anchor component={Link} href={placeOf.client(site, client_id)} fw={500}>
                    {name}
                  </Anchor>
                ),
              },
              { title: t.kind, cell: ({ kind }) => <Badge variant="light">{t.kinds[kind]}</Badge> },
              { title: t.callbacks, number: true, cell: ({ redirect_uris }) => redirect_uris.length },
              { title: common.created, cell: ({ created_at }) => <Moment at={created_at} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

function CreateClient({ site }: { site: SiteName }) {
  const { clients: t } = useTexts()
  const [, navigate] = useLocation()
  return (
    <FormDialog
      label={t.create}
      size="lg"
      initial={newClient}
      validate={useClientChecks()}
      fields={(form) => <ClientFields form={form} create />}
      save={async (values) => {
        const answer = await act('createClient', { ...site, ...values, ...addressesOf(values) })
        const { client_id } = answer.client
        const show = () => navigate(placeOf.client(site, client_id))
        if (answer.client_secret === null) {
          show()
          return undefined
        }
        const told = [
          { label: t.client_id, value: client_id },
          { label: t.client_secret, value: answer.client_secret },
        ]
        return { title: t.created, advice: t.secret_advice, values: told, next: show }
      }}
    />
  )
}
