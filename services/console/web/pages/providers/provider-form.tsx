import { socialPermissions } from 'virtual:contract'
import { Checkbox, PasswordInput, Radio, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { type UseFormReturnType, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { call } from '../../admin/call.ts'
import { act } from '../../admin/queries.ts'
import type { ProviderSettings, SiteName } from '../../admin/types.ts'
import { AdminForm } from '../../parts/admin-form.tsx'
import { useTexts } from '../../texts/index.tsx'
import { checks } from '../checks.ts'

interface Values extends Record<string, unknown> {
  client_id: string
  client_secret: string
  official_account: boolean
  enabled: boolean
  /** A day, `YYYY-MM-DD`. */
  expires: string
  webhook_secret: string
  team_id: string
  key_id: string
  app_id: string
  permissions: string[]
  protocol: string
}

const text = (value: string | true | undefined) => (typeof value === 'string' ? value : '')

/** Secrets are never told: their fields are empty, and stay as they are when left so. */
const valuesOf = ({ options, ...settings }: ProviderSettings): Values => ({
  client_id: settings.client_id,
  client_secret: '',
  official_account: settings.official_account,
  enabled: settings.login_provider_identifier === null ? true : settings.enabled,
  expires: settings.client_secret_expires_at?.slice(0, 10) ?? '',
  webhook_secret: '',
  team_id: text(options.team_id),
  key_id: text(options.key_id),
  app_id: text(options.app_id),
  permissions: text(options.permissions).split(',').filter(Boolean),
  protocol: text(options.protocol) || 'oauth1',
})

/** The options each provider has, by name; an empty one is left out. */
const optionsOf: Record<ProviderSettings['provider'], (values: Values) => Record<string, string>> = {
  messaging: ({ webhook_secret }) => (webhook_secret === '' ? {} : { webhook_secret }),
  portal: () => ({}),
  social: ({ permissions }) => (permissions.length === 0 ? {} : { permissions: permissions.join(',') }),
  search: () => ({}),
  device: ({ team_id, key_id, app_id }) => ({
    team_id: team_id.trim(),
    key_id: key_id.trim(),
    ...(app_id.trim() === '' ? {} : { app_id: app_id.trim() }),
  }),
  microblog: ({ protocol }) => ({ protocol }),
}

interface Props {
  readonly site: SiteName
  readonly settings: ProviderSettings
  readonly readonly: boolean
}

export function ProviderForm({ site, settings, readonly }: Props) {
  const { providers: t, guides, common } = useTexts()
  const { provider } = settings
  const guide = guides[provider]
  const check = checks(common.fields)
  const form = useForm<Values>({
    initialValues: valuesOf(settings),
    validate: {
      client_id: check.some,
      client_secret: (secret) => (settings.has_client_secret ? null : check.some(secret)),
      team_id: (id) => (provider === 'device' ? check.some(id) : null),
      key_id: (id) => (provider === 'device' ? check.some(id) : null),
    },
  })

  const save = async (values: Values) => {
    const { client_id, client_secret, official_account, enabled, expires } = values
    const saved = await act(
      'saveProviderSettings',
      {
        ...site,
        provider,
        client_id: client_id.trim(),
        ...(client_secret === '' ? {} : { client_secret: client_secret.trim() }),
        options: optionsOf[provider](values),
        official_account,
        enabled,
        client_secret_expires_at: expires === '' ? null : `${expires}T00:00:00Z`,
      },
      { revision: settings.revision },
    )
    form.setInitialValues(valuesOf(saved))
    form.setValues(valuesOf(saved))
    notifications.show({ message: common.saved, color: 'teal' })
  }
  const reread = async () => valuesOf(await call('readProviderSettings', { ...site, provider }))
  const labels = {
    client_id: guide.client_id,
    official_account: t.official_account,
    enabled: t.enabled,
    expires: t.expires,
  }

  return (
    <AdminForm form={form} submit={common.save} save={save} reread={reread} labels={labels} readonly={readonly}>
      <TextInput label={guide.client_id} required {...form.getInputProps('client_id')} />
      {provider === 'device' ? (
        <Textarea
          label={guide.client_secret}
          description={settings.has_client_secret ? t.client_secret_kept : guides.device_secret}
          required={!settings.has_client_secret}
          placeholder="-----BEGIN PRIVATE KEY-----"
          autosize
          minRows={4}
          maxRows={8}
          autoComplete="off"
          styles={{ input: { fontFamily: 'monospace' } }}
          {...form.getInputProps('client_secret')}
        />
      ) : (
        <PasswordInput
          label={guide.client_secret}
          description={settings.has_client_secret ? t.client_secret_kept : undefined}
          required={!settings.has_client_secret}
          autoComplete="new-password"
          {...form.getInputProps('client_secret')}
        />
      )}
      <Options form={form} settings={settings} />
      <TextInput
        type="date"
        label={t.expires}
        description={t.expires_hint}
        maw={240}
        {...form.getInputProps('expires')}
      />
      <Checkbox label={t.enabled} {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </AdminForm>
  )
}

/** What this provider alone wants. */
function Options({ form, settings }: { form: UseFormReturnType<Values>; settings: ProviderSettings }) {
  const { providers: t, guides } = useTexts()
  switch (settings.provider) {
    case 'messaging':
      return (
        <>
          <Checkbox
            label={t.official_account}
            description={t.official_account_hint}
            {...form.getInputProps('official_account', { type: 'checkbox' })}
          />
          {form.values.official_account && (
            <PasswordInput
              label={guides.webhook_secret}
              description={settings.options.webhook_secret === true ? t.option_kept : undefined}
              autoComplete="new-password"
              {...form.getInputProps('webhook_secret')}
            />
          )}
        </>
      )
    case 'social':
      return (
        <Checkbox.Group
          label={guides.permissions}
          description={guides.permissions_hint}
          {...form.getInputProps('permissions')}
        >
          <SimpleGrid cols={2} spacing="xs" mt={6}>
            {socialPermissions.map((permission) => (
              <Checkbox key={permission} value={permission} label={permission} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )
    case 'device':
      return (
        <>
          <TextInput label={guides.key_id} required maxLength={10} maw={240} {...form.getInputProps('key_id')} />
          <TextInput label={guides.team_id} required maxLength={10} maw={240} {...form.getInputProps('team_id')} />
          <TextInput label={guides.app_id} description={guides.app_id_hint} {...form.getInputProps('app_id')} />
        </>
      )
    case 'microblog':
      return (
        <Radio.Group label={t.protocol} {...form.getInputProps('protocol')}>
          <Stack gap="xs" mt={6}>
            <Radio value="oauth1" label={t.protocols.oauth1} />
            <Radio value="oauth2" label={t.protocols.oauth2} />
          </Stack>
        </Radio.Group>
      )
    default:
      return null
  }
}
