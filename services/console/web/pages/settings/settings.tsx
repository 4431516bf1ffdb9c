import { Alert } from '@mantine/core'
import { useMay } from '../../admin/may.ts'
import { useRead } from '../../admin/queries.ts'
import type { SiteName } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { General } from './general.tsx'
import { LoginButtons } from './login-buttons.tsx'
import { ProfileStorage } from './profile-storage.tsx'

/** What a site is told of itself, what is contracted, and what of profiles is kept. */
export function Settings({ site }: { site: SiteName }) {
  const { settings: t, common } = useTexts()
  const query = useRead('readSite', site)
  const may = useMay(site.account)
  return (
    <Page title={t.title} about={t.about}>
      {!may('editor') && <Alert color="gray">{common.read_only}</Alert>}
      <Loaded of={query}>
        {(settings) => (
          <>
            <General site={settings} readonly={!may('editor')} />
            <LoginButtons site={settings} readonly={!may('editor')} />
            <ProfileStorage site={settings} readonly={!may('editor')} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
