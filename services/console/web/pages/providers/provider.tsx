import { loginProviders } from 'virtual:contract/providers'
import { Alert, List, SimpleGrid } from '@mantine/core'
import { IconCircleCheck, IconListCheck } from '@tabler/icons-react'
import { useMay } from '../../admin/may.ts'
import { useRead } from '../../admin/queries.ts'
import type { LoginProvider, ProviderSettings, SiteName } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { NotHere } from '../not-here.tsx'
import { AuthorizationAddress } from './authorization-address.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ProviderGuide } from './provider-guide.tsx'
import { State } from './providers.tsx'

/** A login provider: what to do at the provider, what to enter here, and a login to try it. */
export function ProviderPage({ site, provider }: { site: SiteName; provider: string }) {
  const known = loginProviders.find((one) => one === provider)
  return known ? <Known site={site} provider={known} /> : <NotHere />
}

function Known({ site, provider }: { site: SiteName; provider: LoginProvider }) {
  const { common } = useTexts()
  const query = useRead('readProviderSettings', { ...site, provider })
  return (
    <Page title={common.providers[provider]} actions={query.data && <State of={query.data} />}>
      <Loaded of={query}>{(settings) => <Shown site={site} settings={settings} />}</Loaded>
    </Page>
  )
}

function Shown({ site, settings }: { site: SiteName; settings: ProviderSettings }) {
  const { providers: t, common } = useTexts()
  const may = useMay(site.account)
  const complete = settings.login_provider_identifier !== null && settings.missing.length === 0
  return (
    <>
      {!may('editor') && <Alert color="gray">{common.read_only}</Alert>}
      {complete && settings.enabled && (
        <Alert color="teal" icon={<IconCircleCheck />}>
          {t.complete}
        </Alert>
      )}
      {settings.login_provider_identifier !== null && !complete && (
        <Alert color="yellow" icon={<IconListCheck />} title={t.missing}>
          <List size="sm">
            {settings.missing.map((what) => (
              <List.Item key={what}>{what}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing="xl">
        <ProviderGuide settings={settings} />
        <Section title={t.here}>
          <ProviderForm site={site} settings={settings} readonly={!may('editor')} />
        </Section>
      </SimpleGrid>
      <AuthorizationAddress site={site} settings={settings} />
    </>
  )
}
