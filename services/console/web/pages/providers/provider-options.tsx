import { Checkbox, PasswordInput, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { socialPermissions } from '#login-providers'
import type { ProviderSettings } from '../../admin/types.ts'
import { useGuide } from '../../texts/guides.ts'
import { useTexts } from '../../texts/index.tsx'
import type { ProviderValues } from './provider-values.ts'

interface Props {
  readonly form: UseFormReturnType<ProviderValues>
  readonly settings: ProviderSettings
}

/** The settings that only this provider has. */
export function Options({ form, settings }: Props) {
  switch (settings.provider) {
    case 'messaging':
      return <MessagingOptions form={form} settings={settings} />
    case 'social':
      return <SocialOptions form={form} />
    case 'device':
      return <DeviceOptions form={form} />
    case 'microblog':
      return <MicroblogOptions form={form} />
    default:
      return null
  }
}

function MessagingOptions({ form, settings }: Props) {
  const { providers: t } = useTexts()
  const { options } = useGuide('messaging')
  return (
    <>
      <Checkbox
        label={options.official_account}
        description={options.official_account_hint}
        {...form.getInputProps('official_account', { type: 'checkbox' })}
      />
      {form.values.official_account && (
        <PasswordInput
          label={options.webhook_secret}
          description={settings.options.webhook_secret === true ? t.option_kept : undefined}
          autoComplete="new-password"
          {...form.getInputProps('webhook_secret')}
        />
      )}
    </>
  )
}

function SocialOptions({ form }: Pick<Props, 'form'>) {
  const { options } = useGuide('social')
  return (
    <Checkbox.Group
      label={options.permissions}
      description={options.permissions_hint}
      {...form.getInputProps('permissions')}
    >
      <SimpleGrid cols={2} spacing="xs" mt={6}>
        {socialPermissions.map((permission) => (
          <Checkbox key={permission} value={permission} label={permission} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  )
}

function DeviceOptions({ form }: Pick<Props, 'form'>) {
  const { options } = useGuide('device')
  return (
    <>
      <TextInput label={options.key_id} required maxLength={10} maw={240} {...form.getInputProps('key_id')} />
      <TextInput label={options.team_id} required maxLength={10} maw={240} {...form.getInputProps('team_id')} />
      <TextInput label={options.app_id} description={options.app_id_hint} {...form.getInputProps('app_id')} />
    </>
  )
}

function MicroblogOptions({ form }: Pick<Props, 'form'>) {
  const { options } = useGuide('microblog')
  return (
    <Radio.Group label={options.protocol} {...form.getInputProps('protocol')}>
      <Stack gap="xs" mt={6}>
        <Radio value="oauth1" label={options.oauth1} />
        <Radio value="oauth2" label={options.oauth2} />
      </Stack>
    </Radio.Group>
  )
}
