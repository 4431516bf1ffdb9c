import { SimpleGrid } from '@mantine/core'
import { useRead } from '../../admin/queries.ts'
import type { SiteName } from '../../admin/types.ts'
import { Copied } from '../../parts/copied.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Expiring } from './expiring.tsx'
import { Figures } from './figures.tsx'
import { NextSteps } from './next-steps.tsx'
import { useStanding } from './standing.ts'

/** A site at a glance: what is still to be done, and what needs looking after. */
export function Overview({ site }: { site: SiteName }) {
  const { overview: t } = useTexts()
  const query = useRead('readSite', site)
  const { known, fault, again } = useStanding(site)
  return (
    <Page title={query.data?.name ?? site.site_id} about={t.about}>
      <Loaded of={query}>
        {() => (
          <>
            {fault && <Failure fault={fault} again={again} />}
            <Expiring providers={known.providers ?? []} />
            <NextSteps site={site} known={known} />
            <Section title={t.at_a_glance}>
              <Figures known={known} />
            </Section>
            <Section title={t.site_id} about={t.web_api_asks}>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <Copied label="account" value={site.account} />
                <Copied label="site_id" value={site.site_id} />
              </SimpleGrid>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
