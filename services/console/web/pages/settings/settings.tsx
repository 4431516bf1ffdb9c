import { Alert } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useHasRole, useIsOperator } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'
import { Columns } from '../../parts/columns.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { Compatibility } from './compatibility.tsx'
import { GeneralSettings } from './general.tsx'
import { InactiveUsers } from './inactive-users.tsx'
import { LoginButtons } from './login-buttons.tsx'
import { SchemaSection } from './metadata-schemas.tsx'
import { MetadataSearchSettings } from './metadata-search.tsx'
import { ProfileStorage } from './profile-storage.tsx'
import { UserSearchSettings } from './user-search.tsx'

// Only operators and owners see them.
const DeleteSite = lazy(async () => ({ default: (await import('./delete-site.tsx')).DeleteSite }))
const MoveSite = lazy(async () => ({ default: (await import('./move-site.tsx')).MoveSite }))

/** Settings of a site. */
export function SettingsPage({ site }: { site: SiteReference }) {
  const { settings: t, common } = useTexts('settings')
  const query = useRead('readSite', site)
  const hasRole = useHasRole(site)
  const isOperator = useIsOperator()
  return (
    <Page title={t.title} about={t.about}>
      {!hasRole('editor') && <Alert color="gray">{common.read_only}</Alert>}
      <Loaded of={query}>
        {(settings) => (
          <Columns>
            <GeneralSettings site={settings} readonly={!hasRole('editor')} />
            <LoginButtons site={settings} readonly={!hasRole('editor')} />
            <ProfileStorage site={settings} readonly={!hasRole('editor')} />
            <SchemaSection site={settings} readonly={!hasRole('editor')} />
            <UserSearchSettings site={site} readonly={!hasRole('editor')} />
            <MetadataSearchSettings site={site} readonly={!hasRole('editor')} />
            <InactiveUsers site={site} />
            <Compatibility site={settings} readonly={!hasRole('editor')} />
          </Columns>
        )}
      </Loaded>
      <Suspense>
        {isOperator && <MoveSite site={site} />}
        {hasRole('owner') && <DeleteSite site={site} />}
      </Suspense>
    </Page>
  )
}
