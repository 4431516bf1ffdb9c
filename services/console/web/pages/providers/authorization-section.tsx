import { NativeSelect, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { Client, ProviderSettings, SiteReference } from '../../admin/types.ts'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { buildAuthorizationUrl, placeholders } from './authorization-url.ts'
import { TestLoginSection } from './test-login.tsx'

interface Props {
  readonly site: SiteReference
  readonly settings: ProviderSettings
}

/** The complete authorization URL for one of the site's clients, and a test login with it. */
export function AuthorizationSection({ site, settings }: Props) {
  const { providers: t } = useTexts('providers')
  const query = useRead('listClients', site)
  const { authorize_uri } = settings
  return (
    <Loaded of={query}>
      {({ clients }) => {
        const ready = clients.filter(({ redirect_uris }) => redirect_uris.length > 0)
        if (authorize_uri === null || ready.length === 0) {
          return (
            <Section title={t.authorize} about={t.authorize_about}>
              <Text size="sm">{t.authorize_none}</Text>
            </Section>
          )
        }
        return <AuthorizationUrl site={site} settings={settings} authorize_uri={authorize_uri} clients={ready} />
      }}
    </Loaded>
  )
}

function AuthorizationUrl(props: Props & { authorize_uri: string; clients: readonly Client[] }) {
  const { site, settings, authorize_uri, clients } = props
  const { providers: t } = useTexts('providers')
  const hasRole = useHasRole(site)
  const [clientId, setClient] = useState<string | null>(null)
  const [callback, setCallback] = useState<string | null>(null)
  const client = clients.find((one) => one.client_id === clientId) ?? clients[0]
  const redirectUri = client?.redirect_uris.find((one) => one === callback) ?? client?.redirect_uris[0]
  if (client === undefined || redirectUri === undefined) return null

  const parameters = { authorize_uri, client, redirect_uri: redirectUri }
  return (
    <>
      <Section title={t.authorize} about={t.authorize_about}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect
            label={t.authorize_client}
            data={clients.map((one) => ({ value: one.client_id, label: one.name }))}
            value={client.client_id}
            onChange={(event) => setClient(event.currentTarget.value)}
          />
          <NativeSelect
            label={t.authorize_callback}
            data={[...client.redirect_uris]}
            value={redirectUri}
            onChange={(event) => setCallback(event.currentTarget.value)}
          />
        </SimpleGrid>
        <CopyableValue label={t.authorize} value={buildAuthorizationUrl(parameters, placeholders)} />
        <Text size="sm" c="dimmed">
          {t.authorize_values}
        </Text>
      </Section>
      {hasRole('editor') && <TestLoginSection site={site} provider={settings.provider} parameters={parameters} />}
    </>
  )
}
