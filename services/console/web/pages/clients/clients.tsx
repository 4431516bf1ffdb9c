import { Anchor, Badge, Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useMay } from '../../admin/may.ts'
import { act, useRead } from '../../admin/queries.ts'
import type { Client, Output, SiteName } from '../../admin/types.ts'
import { AdminForm } from '../../parts/admin-form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { ToldOnce } from '../../parts/told-once.tsx'
import { placeOf } from '../../shell/places.ts'
import { useTexts } from '../../texts/index.tsx'
import { linesOf } from '../checks.ts'
import { ClientFields, useClientForm } from './client-fields.tsx'

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
  const [opened, dialog] = useDisclosure()
  const [created, setCreated] = useState<Output<'createClient'>>()
  const [, navigate] = useLocation()
  const form = useClientForm()
  const show = ({ client_id }: Client) => navigate(placeOf.client(site, client_id))
  return (
    <>
      <Button leftSection={<IconPlus size={18} />} onClick={dialog.open}>
        {t.create}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={t.create} size="lg" centered>
        <AdminForm
          form={form}
          submit={t.create}
          cancel={dialog.close}
          save={async ({ redirect_uris, ...values }) => {
            const answer = await act('createClient', { ...site, ...values, redirect_uris: linesOf(redirect_uris) })
            dialog.close()
            form.reset()
            if (answer.client_secret === null) show(answer.client)
            else setCreated(answer)
          }}
        >
          <ClientFields form={form} create />
        </AdminForm>
      </Modal>
      {created?.client_secret && (
        <ToldOnce
          title={t.created}
          advice={t.secret_advice}
          values={[
            { label: t.client_id, value: created.client.client_id },
            { label: t.client_secret, value: created.client_secret },
          ]}
          onClose={() => show(created.client)}
        />
      )}
    </>
  )
}
