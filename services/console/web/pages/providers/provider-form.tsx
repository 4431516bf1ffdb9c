import { descriptions } from 'virtual:contract/providers'
import { Checkbox, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { call } from '../../admin/call.ts'
import { act } from '../../admin/queries.ts'
import type { ProviderSettings, SiteName } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { useGuide } from '../../texts/guides.ts'
import { useTexts } from '../../texts/index.tsx'
import { useChecks } from '../checks.ts'
import { Options } from './provider-options.tsx'
import { optionField, optionsOf, type ProviderValues, valuesOf } from './provider-values.ts'

interface Props {
  readonly site: SiteName
  readonly settings: ProviderSettings
  readonly readonly: boolean
}

export function ProviderForm({ site, settings, readonly }: Props) {
  const { providers: t } = useTexts()
  const { provider } = settings
  const guide = useGuide(provider)
  const { options, clientSecret } = descriptions[provider]
  const required = Object.entries(options).filter(([, option]) => option.type === 'text' && option.required)
  const check = useChecks()
  const form = useForm<ProviderValues>({
    initialValues: valuesOf(settings),
    validate: {
      client_id: check.some,
      client_secret: (secret) => (settings.has_client_secret ? null : check.some(secret)),
      ...Object.fromEntries(required.map(([name]) => [optionField(name), check.some])),
    },
  })

  const save = async (values: ProviderValues, revision: number) => {
    const { client_id, client_secret, official_account, enabled, expires } = values
    const saved = await act(
      'saveProviderSettings',
      {
        ...site,
        provider,
        client_id: client_id.trim(),
        ...(client_secret === '' ? {} : { client_secret: client_secret.trim() }),
        options: optionsOf(provider, values),
        official_account,
        enabled,
        client_secret_expires_at: expires === '' ? null : `${expires}T00:00:00Z`,
      },
      { revision },
    )
    return versionOf(saved)
  }
  const labels = {
    client_id: guide.client_id,
    enabled: t.enabled,
    expires: t.expires,
    official_account: guide.options?.official_account ?? '',
    ...Object.fromEntries(Object.keys(options).map((name) => [optionField(name), guide.options?.[name] ?? ''])),
  }

  return (
    <ChangeForm
      form={form}
      save={save}
      revision={settings.revision}
      reread={async () => versionOf(await call('readProviderSettings', { ...site, provider }))}
      labels={labels}
      readonly={readonly}
    >
      <TextInput label={guide.client_id} required {...form.getInputProps('client_id')} />
      {clientSecret === 'private_key' ? (
        <Textarea
          label={guide.client_secret}
          description={settings.has_client_secret ? t.client_secret_kept : guide.client_secret_hint}
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
    </ChangeForm>
  )
}

const versionOf = (settings: ProviderSettings) => ({ values: valuesOf(settings), revision: settings.revision })
