import { Alert, Badge, SimpleGrid } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useLocation } from 'wouter'
import { call } from '../../admin/call.ts'
import { useMay } from '../../admin/may.ts'
import { act, useRead } from '../../admin/queries.ts'
import type { Client, SiteName } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { Copied } from '../../parts/copied.tsx'
import { Danger } from '../../parts/danger.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { placeOf } from '../../shell/places.ts'
import { useTexts } from '../../texts/index.tsx'
import { addressesOf, ClientFields, clientValues, useClientChecks } from './client-fields.tsx'
import { ClientSecrets } from './client-secrets.tsx'
import { Rejections } from './rejections.tsx'

/** A client: its callback addresses and rules, and its secrets. */
export function ClientPage({ site, client_id }: { site: SiteName; client_id: string }) {
  const { clients: t } = useTexts()
  const query = useRead('readClient', { ...site, client_id })
  return (
    <Page
      title={query.data?.name ?? t.one}
      actions={
        query.data && (
          <Badge size="lg" variant="light">
            {t.kinds[query.data.kind]}
          </Badge>
        )
      }
    >
      <Loaded of={query}>{(client) => <Shown site={site} client={client} />}</Loaded>
    </Page>
  )
}

function Shown({ site, client }: { site: SiteName; client: Client }) {
  const { clients: t, common } = useTexts()
  const may = useMay(site.account)
  const [, navigate] = useLocation()
  const form = useForm({ initialValues: clientValues(client), validate: useClientChecks() })
  const name = { ...site, client_id: client.client_id }
  const labels = {
    name: common.name,
    redirect_uris: t.callbacks,
    post_logout_redirect_uris: t.logout_addresses,
    response_types: t.flows,
    pkce: 'PKCE',
    id_token_alg: t.id_token_alg,
  }
  const leave = () => navigate(`${placeOf.site(site)}/clients`, { replace: true })
  return (
    <>
      {!may('editor') && <Alert color="gray">{common.read_only}</Alert>}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Copied label={t.client_id} value={client.client_id} />
      </SimpleGrid>
      <Section title={t.settings}>
        <ChangeForm
          form={form}
          labels={labels}
          readonly={!may('editor')}
          revision={client.revision}
          reread={async () => versionOf(await call('readClient', name))}
          save={async ({ kind: _, ...values }, revision) => {
            const changes = { ...name, ...values, ...addressesOf(values) }
            return versionOf(await act('changeClient', changes, { revision }))
          }}
        >
          <ClientFields form={form} />
        </ChangeForm>
      </Section>
      {client.kind === 'confidential' && <ClientSecrets site={site} client={client} />}
      <Rejections site={site} client_id={client.client_id} />
      {may('owner') && (
        <Section title={t.remove} about={t.remove_about}>
          <div>
            <Danger
              label={t.remove}
              title={t.remove_title({ name: client.name })}
              warning={t.remove_warning}
              change={() => act('removeClient', name, { leave })}
              size="sm"
            />
          </div>
        </Section>
      )}
    </>
  )
}

const versionOf = (client: Client) => ({ values: clientValues(client), revision: client.revision })
