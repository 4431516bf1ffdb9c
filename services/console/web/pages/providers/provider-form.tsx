import { Box, PasswordInput, Textarea, TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { call } from '../../admin/call.ts'
import { mutate } from '../../admin/queries.ts'
import type { ProviderSettings, SiteReference } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { describeLogin } from '../../parts/describe-provider.ts'
import { useNameProvider } from '../../parts/site-providers.ts'
import { CheckField, useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { useGuide } from '../../texts/guides.ts'
import { useTexts } from '../../texts/index.tsx'
import { useValidators } from '../validators.ts'
import { useDefinitionLabel } from './definition-labels.ts'
import { atDefinitionFields, parseObject, toDefinition, validateRecords } from './definition-values.ts'
import { ProviderOptionInputs } from './provider-options.tsx'
import {
  listOptions,
  optionField,
  type ProviderValues,
  toDocumentedField,
  toOptions,
  toProviderValues,
} from './provider-values.ts'

const PasteValues = lazy(async () => ({ default: (await import('./paste-values.tsx')).PasteValues }))
// Only for providers that are not built in.
const DefinitionFields = lazy(async () => ({ default: (await import('./definition-fields.tsx')).DefinitionFields }))
const DefinitionDetails = lazy(async () => ({ default: (await import('./definition-details.tsx')).DefinitionDetails }))

interface Props {
  readonly site: SiteReference
  readonly settings: ProviderSettings
  readonly readonly: boolean
}

export function ProviderForm({ site, settings, readonly }: Props) {
  const { providers: t, definition } = useTexts('providers', 'definition')
  const getLabel = useDefinitionLabel()
  const { provider } = settings
  const guide = useGuide(settings)
  const name = useNameProvider()(provider)
  const builtIn = describeLogin(provider)
  const options = listOptions(provider)
  const required = Object.entries(options).filter(([, option]) => option.type === 'text' && option.required)
  const check = useValidators()
  const form = useDocumentedForm<ProviderValues>(
    'provider',
    {
      initialValues: toProviderValues(settings),
      validate: {
        client_id: check.some,
        client_secret: (secret) => (settings.has_client_secret ? null : check.some(secret)),
        ...(builtIn === undefined && {
          name_en: check.some,
          details: (details: string) => (parseObject(details) ? null : definition.details_invalid),
          ...validateRecords(definition.record_invalid),
        }),
        ...Object.fromEntries(required.map(([name]) => [optionField(name), check.some])),
      },
    },
    toDocumentedField,
  )

  const save = async (values: ProviderValues, revision: number) => {
    const { client_id, client_secret, official_account, enabled, expires } = values
    const saved = await mutate(
      'saveProviderSettings',
      {
        ...site,
        provider,
        ...(builtIn === undefined && { definition: toDefinition(values) }),
        client_id: client_id.trim(),
        ...(client_secret === '' ? {} : { client_secret: client_secret.trim() }),
        options: toOptions(provider, values),
        official_account,
        enabled,
        client_secret_expires_at: expires === '' ? null : `${expires}T00:00:00Z`,
      },
      { revision },
    ).catch((error: unknown) => {
      throw atDefinitionFields(error, values)
    })
    return toVersion(saved)
  }
  const labels = {
    ...Object.fromEntries(Object.keys(form.values).map((key) => [key, getLabel(key).label])),
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
      reread={async () => toVersion(await call('readProviderSettings', { ...site, provider }))}
      labels={labels}
      readonly={readonly}
      listConsequences={(before, after) => [
        ...(settings.enabled && before.enabled && !after.enabled ? [t.ends_provider({ provider: name })] : []),
        ...(before.client_id !== '' && before.client_id !== after.client_id.trim()
          ? [t.ends_client_id({ provider: name })]
          : []),
      ]}
      // The earlier secret is not known any more.
      canUndo={(before, after) => settings.revision > 0 && after.client_secret === before.client_secret}
    >
      {!readonly && (
        // Of the height of its button, so that nothing moves when it is loaded.
        <Suspense fallback={<Box h={26} />}>
          <PasteValues
            provider={provider}
            labels={{
              client_id: guide.client_id,
              client_secret: guide.client_secret,
              ...Object.fromEntries(Object.keys(options).map((option) => [option, guide.options?.[option] ?? ''])),
            }}
            fill={({ options: pasted, ...values }) =>
              form.setValues({
                ...values,
                ...Object.fromEntries(
                  Object.entries(pasted)
                    .filter(([option]) => option in options)
                    .map(([option, value]) => [optionField(option), value]),
                ),
              })
            }
          />
        </Suspense>
      )}
      {builtIn === undefined && <DefinitionFields form={form} />}
      <TextInput label={guide.client_id} required {...form.getInputProps('client_id')} />
      {builtIn?.clientSecret === 'private_key' ? (
        <Textarea
          label={guide.client_secret}
          description={settings.has_client_secret ? t.client_secret_stored : guide.client_secret_hint}
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
          description={settings.has_client_secret ? t.client_secret_stored : guide.client_secret_hint}
          required={!settings.has_client_secret}
          autoComplete="new-password"
          {...form.getInputProps('client_secret')}
        />
      )}
      {/* Native apps send ID Tokens, which OAuth 2.0 does not have. */}
      {(builtIn || form.values.protocol === 'oidc') && <ProviderOptionInputs form={form} settings={settings} />}
      <TextInput
        type="date"
        label={t.expires}
        description={t.expires_hint}
        maw={240}
        {...form.getInputProps('expires')}
      />
      {builtIn === undefined && <DefinitionDetails form={form} site={site} provider={provider} />}
      <CheckField label={t.enabled} {...form.getInputProps('enabled', { type: 'checkbox' })} />
    </ChangeForm>
  )
}

const toVersion = (settings: ProviderSettings) => ({ values: toProviderValues(settings), revision: settings.revision })
