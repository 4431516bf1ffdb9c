import { Alert, List, SimpleGrid } from '@mantine/core'
import { IconCircleCheck, IconListCheck } from '@tabler/icons-react'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { ProviderSettings, SiteReference } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { nameProvider } from '../../texts/provider-names.ts'
import { AuthorizationSection } from './authorization-section.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ProviderGuide } from './provider-guide.tsx'
import { ProviderState } from './providers.tsx'

/** A login provider: setup guide, settings, authorization URL, and test login. */
export function ProviderPage({ site, provider }: { site: SiteReference; provider: string }) {
  const { common } = useTexts()
  const query = useRead('readProviderSettings', { ...site, provider })
  return (
    <Page title={nameProvider(provider, common)} actions={query.data && <ProviderState of={query.data} />}>
      <Loaded of={query}>{(settings) => <ProviderDetails site={site} settings={settings} />}</Loaded>
    </Page>
  )
}

function ProviderDetails({ site, settings }: { site: SiteReference; settings: ProviderSettings }) {
  const { providers: t, common } = useTexts()
  const hasRole = useHasRole(site.account)
  const isComplete = settings.login_provider_identifier !== null && settings.missing.length === 0
  return (
    <>
      {!hasRole('editor') && <Alert color="gray">{common.read_only}</Alert>}
      {isComplete && settings.enabled && (
        <Alert color="teal" icon={<IconCircleCheck />}>
          {t.complete}
        </Alert>
      )}
      {settings.login_provider_identifier !== null && !isComplete && (
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
        <Section title={t.settings}>
          <ProviderForm site={site} settings={settings} readonly={!hasRole('editor')} />
        </Section>
      </SimpleGrid>
      <AuthorizationSection site={site} settings={settings} />
    </>
  )
}
