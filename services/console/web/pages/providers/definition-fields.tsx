import { Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../texts/index.tsx'
import { useDefinitionLabel } from './definition-labels.ts'
import { endpointKey, fieldKey } from './definition-values.ts'
import type { ProviderValues } from './provider-values.ts'

/** The settings that every definition needs; all others are in `DefinitionDetails`. */
export const mainFields = { oidc: ['issuer'], oauth2: [] } as const
export const mainEndpoints = { oidc: [], oauth2: ['authorization', 'token', 'user'] } as const

/** Inputs for how end users log in at a provider that the site configured. */
export function DefinitionFields({ form }: { form: UseFormReturnType<ProviderValues> }) {
  const { definition: t } = useTexts('definition')
  const getLabel = useDefinitionLabel()
  const { protocol } = form.values
  const keys = [
    ...mainFields[protocol].map((name) => fieldKey(protocol, name)),
    ...mainEndpoints[protocol].map((name) => endpointKey(protocol, name)),
  ]
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t.name_en} required maxLength={40} {...form.getInputProps('name_en')} />
        <TextInput label={t.name_ja} maxLength={40} {...form.getInputProps('name_ja')} />
      </SimpleGrid>
      <Radio.Group label={t.protocol} {...form.getInputProps('protocol')}>
        <Stack gap="xs" mt={6}>
          <Radio value="oidc" label="OpenID Connect" />
          <Radio value="oauth2" label="OAuth 2.0" />
        </Stack>
      </Radio.Group>
      {keys.map((key) => (
        <TextInput key={key} {...getLabel(key)} required type="url" {...form.getInputProps(key)} />
      ))}
    </>
  )
}
