import { Stack } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { SiteAccountPage, SiteReference } from '../../admin/types.ts'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { OnOff } from '../../parts/on-off.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { DeletionForm } from './deletion-form.tsx'

/** Whether end users of the site have a page for their accounts, and where it is. */
export function AccountPagePage({ site }: { site: SiteReference }) {
  const { account_page: t } = useTexts('account_page')
  return (
    <Page title={t.title} about={t.about}>
      <Loaded of={useRead('readAccountPage', site)}>{(answer) => <Settings site={site} answer={answer} />}</Loaded>
    </Page>
  )
}

function Settings({ site, answer }: { site: SiteReference; answer: SiteAccountPage }) {
  const { account_page: t } = useTexts('account_page')
  const hasRole = useHasRole(site)
  const { enabled, deletion_waiting_days, addresses, revision } = answer
  const turn = (on: boolean) =>
    mutate('changeAccountPage', { ...site, enabled: on, deletion_waiting_days }, { revision })
  const texts = {
    states: t.states,
    turn_on: t.turn_on,
    turn_off: t.turn_off,
    turn_off_title: t.turn_off_title,
    turn_off_warning: t.turn_off_warning,
  }
  return (
    <>
      <OnOff isOn={enabled} texts={texts} readonly={!hasRole('editor')} turn={turn} />
      <Section title={t.addresses} about={t.addresses_about}>
        <Stack gap="xs">
          {addresses.map((address) => (
            <CopyableValue key={address} value={address} />
          ))}
        </Stack>
      </Section>
      {enabled && <DeletionForm site={site} page={answer} />}
    </>
  )
}
