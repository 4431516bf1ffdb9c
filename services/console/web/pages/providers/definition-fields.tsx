import { Radio, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { SiteReference } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'
import { LookFields } from './look-fields.tsx'
import { ProfilePreview } from './profile-preview.tsx'
import type { ProviderValues } from './provider-values.ts'

/** Inputs for how end users log in at a provider that the site configured. */
export function DefinitionFields({ form }: { form: UseFormReturnType<ProviderValues> }) {
  const { definition: t } = useTexts('definition')
  const input = (name: string) => form.getInputProps(name)
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t.name_en} required maxLength={40} {...input('name_en')} />
        <TextInput label={t.name_ja} maxLength={40} {...input('name_ja')} />
      </SimpleGrid>
      <Radio.Group label={t.protocol} {...input('protocol')}>
        <Stack gap="xs" mt={6}>
          <Radio value="oidc" label="OpenID Connect" />
          <Radio value="oauth2" label="OAuth 2.0" />
        </Stack>
      </Radio.Group>
      {form.values.protocol === 'oidc' ? (
        <TextInput label={t.issuer} description={t.issuer_hint} required type="url" {...input('issuer')} />
      ) : (
        <>
          <TextInput label={t.authorization} required type="url" {...input('authorization')} />
          <TextInput label={t.token} required type="url" {...input('token')} />
          <TextInput label={t.user} description={t.user_hint} required type="url" {...input('user')} />
        </>
      )}
    </>
  )
}

interface DetailsProps {
  readonly form: UseFormReturnType<ProviderValues>
  readonly site: SiteReference
  readonly provider: string
}

/** What differs from the standard, what becomes of claims, and the look of the login button. */
export function DefinitionDetails({ form, site, provider }: DetailsProps) {
  const { definition: t } = useTexts('definition')
  return (
    <>
      <Textarea
        label={t.details}
        description={t.details_hint}
        autosize
        minRows={4}
        maxRows={24}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'monospace' } }}
        {...form.getInputProps('details')}
      />
      <ProfilePreview form={form} site={site} provider={provider} />
      <LookFields form={form} />
    </>
  )
}
