import { Alert, List, Stack, Text } from '@mantine/core'
import { useMay } from '../../admin/may.ts'
import { act, useRead } from '../../admin/queries.ts'
import type { ApiKey, SiteName } from '../../admin/types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NameField } from '../../parts/name-field.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useChecks } from '../checks.ts'
import { KeyTable } from './key-table.tsx'

const liveMost = 2
const watchedMs = 10_000

/** API keys: issued, watched while they are rolled over, revoked. */
export function Keys({ site }: { site: SiteName }) {
  const { keys: t } = useTexts()
  const query = useRead('listApiKeys', site, { everyMs: watchedMs })
  const may = useMay(site.account)
  return (
    <Page title={t.title} about={t.about}>
      <Loaded of={query}>
        {({ keys }) => {
          const live = keys.filter(({ revoked_at }) => revoked_at === null)
          return (
            <>
              {!may('owner') && <Alert color="gray">{t.owners}</Alert>}
              <Section
                title={t.live}
                actions={
                  may('owner') && <IssueKey site={site} full={live.length >= liveMost} first={live.length === 0} />
                }
              >
                <KeyTable site={site} keys={live} label={t.live} mayRevoke={may('owner')} only={live.length === 1} />
              </Section>
              <RollOver live={live.length} idle={oldestOf(live)?.calls_last_hour === 0} />
              {live.length < keys.length && (
                <Section title={t.revoked}>
                  <KeyTable site={site} keys={keys.filter((key) => !live.includes(key))} label={t.revoked} />
                </Section>
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** The key that is to be replaced, of two. */
function oldestOf(keys: readonly ApiKey[]): ApiKey | undefined {
  return [...keys].sort((one, other) => one.created_at.localeCompare(other.created_at))[0]
}

/** How a key is changed without a pause, with the step one is at. */
function RollOver({ live, idle }: { live: number; idle: boolean }) {
  const { keys: t } = useTexts()
  if (live === 0) return null
  const at = live === 1 ? 0 : idle ? 2 : 1
  return (
    <Section title={t.roll_over} about={t.roll_over_about}>
      <List type="ordered" spacing="xs">
        {Object.values(t.roll_over_steps).map((step, number) => (
          <List.Item key={step} aria-current={number === at ? 'step' : undefined}>
            <Text span fw={number === at ? 600 : 400} {...(number === at ? {} : { c: 'dimmed' })}>
              {step}
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  )
}

function IssueKey({ site, full, first }: { site: SiteName; full: boolean; first: boolean }) {
  const { keys: t } = useTexts()
  return (
    <Stack gap={4} align="flex-end">
      <FormDialog
        label={t.issue}
        button={{ disabled: full }}
        initial={{ name: '' }}
        validate={{ name: useChecks().title }}
        fields={(form) => <NameField description={t.name_hint} {...form.getInputProps('name')} />}
        save={async (values) => {
          const { api_key } = await act('issueApiKey', { ...site, ...values })
          const advice = first ? t.issued_advice : t.issued_second_advice
          return { title: t.issued, advice, values: [{ label: t.api_key, value: api_key }] }
        }}
      />
      {full && (
        <Text size="xs" c="dimmed">
          {t.full}
        </Text>
      )}
    </Stack>
  )
}
