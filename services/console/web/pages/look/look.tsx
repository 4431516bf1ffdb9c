import { Alert, Grid, Skeleton, Tabs } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { SiteLook, SiteReference } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { UnsavedChangesGuard } from '../../parts/unsaved-changes-guard.tsx'
import { useTexts } from '../../texts/index.tsx'
import { ColorFields } from './color-fields.tsx'
import { LayoutFields } from './layout-fields.tsx'
import { LinkFields } from './link-fields.tsx'
import type { LookForm } from './look-form.ts'
import { useLookForm } from './look-form.ts'
import { PictureFields } from './picture-fields.tsx'
import { LookPreview } from './preview.tsx'
import { SaveButtons } from './save-buttons.tsx'

/** Loaded with their tabs. */
const Versions = lazy(async () => ({ default: (await import('./versions.tsx')).Versions }))
const WordFields = lazy(async () => ({ default: (await import('./word-fields.tsx')).WordFields }))

/** How the login pages of a site look: a form next to the real pages. */
export function LookPage({ site }: { site: SiteReference }) {
  const { look: t } = useTexts('look')
  const query = useRead('readLook', site)
  return (
    <Page title={t.title} about={t.about}>
      <Loaded of={query}>{(look) => <LookEditor key={look.revision} site={site} saved={look} />}</Loaded>
    </Page>
  )
}

const tabs = ['colors', 'pictures', 'layout', 'links', 'words', 'versions'] as const
type Tab = (typeof tabs)[number]

/** The tab stays when the page shows a saved version. */
let lastTab: Tab = 'colors'

function LookEditor({ site, saved }: { site: SiteReference; saved: SiteLook }) {
  const { look: t, common } = useTexts('look')
  const hasRole = useHasRole(site)
  const readonly = !hasRole('editor')
  const form = useLookForm(saved.draft)
  const [tab, setTab] = useState<Tab>(lastTab)
  const choose = (value: string | null) => {
    lastTab = tabs.find((one) => one === value) ?? 'colors'
    setTab(lastTab)
  }
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 6 }}>
        {readonly && <Alert color="gray">{common.read_only}</Alert>}
        {!readonly && form.isDirty() && <UnsavedChangesGuard />}
        <Tabs value={tab} onChange={choose} keepMounted={false}>
          <Tabs.List mb="md">
            {tabs.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t.tabs[name]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <fieldset disabled={readonly} style={{ border: 'none', padding: 0, margin: 0, minWidth: 0 }}>
            <Suspense fallback={<Skeleton h={200} />}>
              <TabContent tab={tab} site={site} form={form} saved={saved} readonly={readonly} />
            </Suspense>
          </fieldset>
        </Tabs>
        {!readonly && <SaveButtons site={site} form={form} saved={saved} />}
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <LookPreview site={site} form={form} />
      </Grid.Col>
    </Grid>
  )
}

interface TabProps {
  readonly tab: Tab
  readonly site: SiteReference
  readonly form: LookForm
  readonly saved: SiteLook
  readonly readonly: boolean
}

function TabContent({ tab, site, form, saved, readonly }: TabProps) {
  if (tab === 'colors') return <ColorFields form={form} />
  if (tab === 'pictures') return <PictureFields site={site} form={form} />
  if (tab === 'layout') return <LayoutFields form={form} />
  if (tab === 'links') return <LinkFields form={form} />
  if (tab === 'words') return <WordFields form={form} />
  return <Versions site={site} saved={saved} readonly={readonly} />
}
