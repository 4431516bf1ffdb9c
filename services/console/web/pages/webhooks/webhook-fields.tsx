import { eventTypes } from 'virtual:contract'
import { Checkbox, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { Webhook } from '../../admin/types.ts'
import { NameField } from '../../parts/name-field.tsx'
import { CheckField } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useValidators } from '../validators.ts'

export interface WebhookValues extends Record<string, unknown> {
  name: string
  url: string
  /** None: all. */
  types: NonNullable<Webhook['types']>
  signature: Webhook['signature']
  ordered: boolean
  enabled: boolean
}

export function toWebhookValues({ name, url, types, signature, ordered, enabled }: Webhook): WebhookValues {
  return { name, url, types: types ?? [], signature, ordered, enabled }
}

/** Converts the types to those of the Admin API. */
export function parseTypes({ types }: Pick<WebhookValues, 'types'>): Pick<Webhook, 'types'> {
  return { types: types.length === 0 ? null : types }
}

export const newWebhook: WebhookValues = {
  name: '',
  url: '',
  types: [],
  signature: 'v1',
  ordered: false,
  enabled: true,
}

export function useWebhookValidators() {
  const check = useValidators()
  return { name: check.title, url: check.some }
}

/** The fields of a webhook. The kind of signature can be selected only for a new one. */
export function WebhookFields({ form, create = false }: { form: UseFormReturnType<WebhookValues>; create?: boolean }) {
  const { webhooks: t } = useTexts('webhooks')
  return (
    <>
      <NameField description={t.name_hint} {...form.getInputProps('name')} />
      <TextInput
        label="URL"
        description={t.url_hint}
        placeholder="https://www.example.com/events"
        type="url"
        required
        {...form.getInputProps('url')}
      />
      <Checkbox.Group label={t.types} description={t.types_hint} {...form.getInputProps('types')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt={6}>
          {eventTypes.map((type) => (
            <Checkbox key={type} value={type} label={type} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <CheckField
        label={t.ordered}
        description={t.ordered_hint}
        {...form.getInputProps('ordered', { type: 'checkbox' })}
      />
      {create ? (
        <Radio.Group label={t.signature} {...form.getInputProps('signature')}>
          <Stack gap="xs" mt={6}>
            <Radio value="v1" label="HMAC-SHA256 (v1)" description={t.v1_about} />
            <Radio value="v1a" label="Ed25519 (v1a)" description={t.v1a_about} />
          </Stack>
        </Radio.Group>
      ) : (
        <CheckField
          label={t.enabled}
          description={t.enabled_hint}
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
      )}
    </>
  )
}
