import { Alert, Button, Group, Stack } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { SiteAccountPage, SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { DangerButton } from '../../parts/danger-button.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'

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
  const { enabled, addresses, revision } = answer
  const turn = (on: boolean) => mutate('changeAccountPage', { ...site, enabled: on }, { revision })
  const turnOn = useAction(() => turn(true))
  return (
    <>
      <Alert color={enabled ? 'teal' : 'gray'} title={enabled ? t.states.on : t.states.off}>
        <Group>
          {hasRole('editor') && enabled && (
            <DangerButton
              label={t.turn_off}
              title={t.turn_off_title}
              warning={t.turn_off_warning}
              change={() => turn(false)}
            />
          )}
          {hasRole('editor') && !enabled && (
            <Button size="compact-sm" variant="default" loading={turnOn.isBusy} onClick={() => turnOn.run()}>
              {t.turn_on}
            </Button>
          )}
        </Group>
      </Alert>
      {turnOn.fault && <FaultAlert fault={turnOn.fault} />}
      <Section title={t.addresses} about={t.addresses_about}>
        <Stack gap="xs">
          {addresses.map((address) => (
            <CopyableValue key={address} value={address} />
          ))}
        </Stack>
      </Section>
    </>
  )
}
