import { Alert, List, SimpleGrid } from '@mantine/core'
import { IconCircleCheck, IconListCheck } from '@tabler/icons-react'
import { lazy } from 'react'
import { useSearch } from 'wouter'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { ProviderSettings, SiteReference } from '../../admin/types.ts'
import { describeLogin } from '../../parts/describe-provider.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { useTexts } from '../../texts/index.tsx'
import { AuthorizationSection } from './authorization-section.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ProviderGuide } from './provider-guide.tsx'
import { ProviderState } from './provider-state.tsx'

// Only for providers that are not built in.
const RemoveProvider = lazy(async () => ({ default: (await import('./remove-provider.tsx')).RemoveProvider }))

/** A login provider: setup guide, settings, authorization URL, and test login. */
export function ProviderPage({ site, provider }: { site: SiteReference; provider: string }) {
  const nameProvider = useNameProvider()
  const query = useRead('readProviderSettings', { ...site, provider })
  const chosen = new URLSearchParams(useSearch()).get('catalog')
  const entryName = query.data?.definition?.catalog ?? chosen ?? undefined
  const catalog = useRead('listProviderCatalog', {}, { enabled: entryName !== undefined })
  const entry = catalog.data?.providers.find(({ name }) => name === entryName)
  return (
    <Page title={nameProvider(provider)} actions={query.data && <ProviderState of={query.data} />}>
      {catalog.error && <FaultAlert fault={catalog.error} />}
      <Loaded of={query}>
        {(settings) =>
          // The form begins with the definition of the catalog.
          catalog.isLoading ? null : (
            <ProviderDetails
              site={site}
              settings={settings.definition || !entry ? settings : { ...settings, definition: entry.definition }}
              consoleUrl={entry?.console ?? describeLogin(provider)?.consoleUrl}
            />
          )
        }
      </Loaded>
    </Page>
  )
}

interface DetailsProps {
  readonly site: SiteReference
  readonly settings: ProviderSettings
  readonly consoleUrl: string | undefined
}

function ProviderDetails({ site, settings, consoleUrl }: DetailsProps) {
  const { providers: t, common } = useTexts('providers')
  const hasRole = useHasRole(site)
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
        <ProviderGuide settings={settings} consoleUrl={consoleUrl} />
        <Section title={t.settings}>
          <ProviderForm site={site} settings={settings} readonly={!hasRole('editor')} />
        </Section>
      </SimpleGrid>
      <AuthorizationSection site={site} settings={settings} />
      {settings.revision > 0 && describeLogin(settings.provider) === undefined && hasRole('owner') && (
        <RemoveProvider site={site} settings={settings} />
      )}
    </>
  )
}
