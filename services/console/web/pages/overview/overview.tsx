import { SimpleGrid } from '@mantine/core'
import { useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { ExpiringSecrets } from './expiring-secrets.tsx'
import { FailingWebhooks } from './failing-webhooks.tsx'
import { Figures } from './figures.tsx'
import { NextSteps } from './next-steps.tsx'
import { useSiteData } from './site-data.ts'

/** Status of a site: next setup steps, warnings, and key figures. */
export function OverviewPage({ site }: { site: SiteReference }) {
  const { overview: t } = useTexts()
  const query = useRead('readSite', site)
  const { data, fault, retry } = useSiteData(site)
  return (
    <Page title={query.data?.name ?? site.site_id} about={t.about}>
      <Loaded of={query}>
        {() => (
          <>
            {fault && <FaultAlert fault={fault} retry={retry} />}
            <ExpiringSecrets providers={data.providers ?? []} />
            <FailingWebhooks site={site} />
            <NextSteps site={site} known={data} />
            <Section title={t.at_a_glance}>
              <Figures known={data} />
            </Section>
            <Section title={t.site_id} about={t.site_id_about}>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <CopyableValue label="account" value={site.account} />
                <CopyableValue label="site_id" value={site.site_id} />
              </SimpleGrid>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
