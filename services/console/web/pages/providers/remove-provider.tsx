import { Group } from '@mantine/core'
import { useLocation } from 'wouter'
import { mutate } from '../../admin/queries.ts'
import type { ProviderSettings, SiteReference } from '../../admin/types.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'

/** Removes a provider that the site configured. */
export function RemoveProvider({ site, settings }: { site: SiteReference; settings: ProviderSettings }) {
  const { definition: t } = useTexts('definition')
  const [, navigate] = useLocation()
  const { provider, revision } = settings
  return (
    <Group justify="flex-end">
      <DangerButton
        label={t.remove}
        size="sm"
        title={t.remove_title({ name: provider })}
        warning={t.remove_warning}
        change={async () => {
          await mutate('removeProviderSettings', { ...site, provider }, { revision })
          navigate(`${paths.site(site)}/providers`)
        }}
      />
    </Group>
  )
}
