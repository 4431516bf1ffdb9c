import { SimpleGrid } from '@mantine/core'
import { useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Figures } from './figures.tsx'
import { NextSteps } from './next-steps.tsx'
import { Problems } from './problems.tsx'
import { useSiteData } from './site-data.ts'
import { Traffic } from './traffic.tsx'

/** Status of a site: the steps of a new one, what needs attention, and logins and calls of the last day. */
export function OverviewPage({ site }: { site: SiteReference }) {
  const { overview: t } = useTexts('overview')
  const query = useRead('readSite', site)
  const { data, fault, retry } = useSiteData(site)
  return (
    <Page title={query.data?.name ?? site.site_id} about={t.about}>
      <Loaded of={query}>
        {() => (
          <>
            {fault && <FaultAlert fault={fault} retry={retry} />}
            <NextSteps site={site} data={data} />
            <Problems site={site} data={data} />
            <Section title={t.last_day}>
              <Traffic site={site} />
            </Section>
            <Section title={t.at_a_glance}>
              <Figures data={data} />
            </Section>
            <Section title={t.site_id} about={t.site_id_about}>
              <SimpleGrid cols={{ base: 1, sm: 2 }} maw={960}>
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
