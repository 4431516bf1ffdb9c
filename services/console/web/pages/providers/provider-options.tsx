import { Checkbox, PasswordInput, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { socialPermissions } from '#login-providers'
import type { ProviderSettings } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'
import type { ProviderValues } from './provider-values.ts'

/** What this provider alone wants. */
export function Options({ form, settings }: { form: UseFormReturnType<ProviderValues>; settings: ProviderSettings }) {
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
