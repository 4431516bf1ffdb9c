import { Alert, Badge, SimpleGrid, Stack } from '@mantine/core'
import { useLocation } from 'wouter'
import { call } from '../../admin/call.ts'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { Client, SiteReference } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { Columns } from '../../parts/columns.tsx'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { RemoveSection } from '../../parts/remove-section.tsx'
import { useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { useClientConsequences } from './client-consequences.ts'
import { ClientFields, parseAddressFields, toClientValues, useClientValidators } from './client-fields.tsx'
import { ClientLogins } from './client-logins.tsx'
import { ClientSecrets } from './client-secrets.tsx'

/** Settings, secrets and failed logins of a client. */
export function ClientPage({ site, client_id }: { site: SiteReference; client_id: string }) {
  const { clients: t } = useTexts('clients')
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
      <Loaded of={query}>{(client) => <ClientDetails site={site} client={client} />}</Loaded>
    </Page>
  )
}

function ClientDetails({ site, client }: { site: SiteReference; client: Client }) {
  const { clients: t, common } = useTexts('clients')
  const hasRole = useHasRole(site)
  const [, navigate] = useLocation()
  const form = useDocumentedForm('client', { initialValues: toClientValues(client), validate: useClientValidators() })
  const name = { ...site, client_id: client.client_id }
  const labels = {
    name: common.name,
    redirect_uris: t.callbacks,
    post_logout_redirect_uris: t.logout_addresses,
    callback_by_domain: t.callback_by_domain,
    token_exchange: t.token_exchange,
    metadata_claims: t.metadata_claims,
    consents_claim: t.consents_claim,
    user_metadata_write: t.user_metadata_write,
    response_types: t.flows,
    pkce: 'PKCE',
    id_token_alg: t.id_token_alg,
  }
  const listConsequences = useClientConsequences()
  const showClients = () => navigate(`${paths.site(site)}/clients`, { replace: true })
  return (
    <>
      {!hasRole('editor') && <Alert color="gray">{common.read_only}</Alert>}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <CopyableValue label={t.client_id} value={client.client_id} />
      </SimpleGrid>
      <Columns>
        <Section title={t.settings}>
          <ChangeForm
            form={form}
            labels={labels}
            readonly={!hasRole('editor')}
            listConsequences={listConsequences}
            revision={client.revision}
            reread={async () => toVersion(await call('readClient', name))}
            save={async ({ kind: _, ...values }, revision) => {
              const changes = { ...name, ...values, ...parseAddressFields(values) }
              return toVersion(await mutate('changeClient', changes, { revision }))
            }}
          >
            <ClientFields form={form} />
          </ChangeForm>
        </Section>
        <Stack gap="lg">
          {client.kind === 'confidential' && <ClientSecrets site={site} client={client} />}
          <ClientLogins site={site} client_id={client.client_id} />
          {hasRole('owner') && (
            <RemoveSection
              label={t.remove}
              about={t.remove_about}
              title={t.remove_title({ name: client.name })}
              warning={t.remove_warning}
              remove={() => mutate('removeClient', name, { beforeRefresh: showClients })}
            />
          )}
        </Stack>
      </Columns>
    </>
  )
}

const toVersion = (client: Client) => ({ values: toClientValues(client), revision: client.revision })
