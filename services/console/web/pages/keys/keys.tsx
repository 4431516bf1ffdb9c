import { Alert, Group, List, PasswordInput, Stack, Text } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { ApiKey, SiteReference } from '../../admin/types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NameField } from '../../parts/name-field.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useValidators } from '../validators.ts'
import { KeyTable } from './key-table.tsx'

const maxActiveKeys = 2
const refreshMs = 10_000

/** API keys of a site, refreshed to show their usage during a rotation. */
export function KeysPage({ site }: { site: SiteReference }) {
  const { keys: t } = useTexts('keys')
  const query = useRead('listApiKeys', site, { intervalMs: refreshMs })
  const hasRole = useHasRole(site)
  return (
    <Page title={t.title} about={t.about}>
      <Loaded of={query}>
        {({ keys }) => {
          const activeKeys = keys.filter(({ revoked_at }) => revoked_at === null)
          return (
            <>
              {activeKeys.some(({ brought_along }) => brought_along) && (
                <Alert color="orange">{t.brought_along_advice}</Alert>
              )}
              {!hasRole('owner') && <Alert color="gray">{t.owners}</Alert>}
              <Section
                title={t.active}
                actions={
                  hasRole('owner') && (
                    <IssueKey site={site} full={activeKeys.length >= maxActiveKeys} first={activeKeys.length === 0} />
                  )
                }
              >
                <KeyTable
                  site={site}
                  keys={activeKeys}
                  label={t.active}
                  canRevoke={hasRole('owner')}
                  isOnlyActive={activeKeys.length === 1}
                />
              </Section>
              <RotationSteps live={activeKeys.length} idle={findOldest(activeKeys)?.calls_last_hour === 0} />
              {activeKeys.length < keys.length && (
                <Section title={t.revoked}>
                  <KeyTable site={site} keys={keys.filter((key) => !activeKeys.includes(key))} label={t.revoked} />
                </Section>
              )}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** Finds the key to replace in a rotation. */
function findOldest(keys: readonly ApiKey[]): ApiKey | undefined {
  return [...keys].sort((one, other) => one.created_at.localeCompare(other.created_at))[0]
}

/** Steps of a rotation, with the current one highlighted. */
function RotationSteps({ live, idle }: { live: number; idle: boolean }) {
  const { keys: t } = useTexts('keys')
  if (live === 0) return null
  const at = live === 1 ? 0 : idle ? 2 : 1
  return (
    <Section title={t.rotation} about={t.rotation_about}>
      <List type="ordered" spacing="xs">
        {Object.values(t.rotation_steps).map((step, number) => (
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

function IssueKey({ site, full, first }: { site: SiteReference; full: boolean; first: boolean }) {
  const { keys: t } = useTexts('keys')
  return (
    <Stack gap={4} align="flex-end">
      <Group gap="xs">
        <EnterKey site={site} full={full} />
        <FormDialog
          label={t.issue}
          isAction
          button={{ disabled: full }}
          initial={{ name: '' }}
          validate={{ name: useValidators().title }}
          fields={(form) => <NameField description={t.name_hint} {...form.getInputProps('name')} />}
          save={async (values) => {
            const { api_key } = await mutate('issueApiKey', { ...site, ...values })
            const advice = first ? t.issued_advice : t.issued_second_advice
            return { title: t.issued, advice, values: [{ label: t.api_key, value: api_key }] }
          }}
        />
      </Group>
      {full && (
        <Text size="xs" c="dimmed">
          {t.limit_reached}
        </Text>
      )}
    </Stack>
  )
}

/** For a key that another service issued. */
function EnterKey({ site, full }: { site: SiteReference; full: boolean }) {
  const { keys: t } = useTexts('keys')
  return (
    <FormDialog
      label={t.enter}
      button={{ disabled: full, variant: 'default' }}
      initial={{ name: '', api_key: '' }}
      validate={{
        name: useValidators().title,
        api_key: (key) => (/^([0-9a-f]{32,}|(?![0-9a-f]+$)[0-9a-z]{22,})$/i.test(key) ? null : t.weak_key),
      }}
      fields={(form) => (
        <>
          <NameField description={t.name_hint} {...form.getInputProps('name')} />
          <PasswordInput
            label={t.existing_key}
            description={t.enter_hint}
            autoComplete="off"
            {...form.getInputProps('api_key')}
          />
        </>
      )}
      save={async (values) => {
        await mutate('enterApiKey', { ...site, ...values })
        return undefined
      }}
    />
  )
}
