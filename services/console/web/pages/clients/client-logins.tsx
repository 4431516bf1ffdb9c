import { Anchor, Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { LoginGroups } from '../logins/login-groups.tsx'
import { isUneventful } from '../logins/login-result.tsx'

/** Why logins with a client did not succeed. */
export function ClientLogins({ site, client_id }: { site: SiteReference; client_id: string }) {
  const { logins: t } = useTexts('logins')
  return (
    <Section
      title={t.not_completed}
      about={t.not_completed_about}
      actions={
        <Anchor component={Link} href={paths.logins(site, { client_id })} size="sm">
          {t.all}
        </Anchor>
      }
    >
      <Suspense fallback={<Skeleton h={120} />}>
        <Loaded of={useRead('groupSiteLogins', { ...site, client_id })}>
          {({ groups }) => (
            <LoginGroups site={site} groups={groups.filter((group) => !isUneventful(group))} empty={t.none_failed} />
          )}
        </Loaded>
      </Suspense>
    </Section>
  )
}
