import { configured } from 'virtual:contract/providers'
import { Checkbox, PasswordInput, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ProviderOption } from '#contracts'
import type { ProviderSettings } from '../../admin/types.ts'
import { describeLogin } from '../../parts/describe-provider.ts'
import { useGuide } from '../../texts/guides.ts'
import { useTexts } from '../../texts/index.tsx'
import { optionField, type ProviderValues } from './provider-values.ts'

interface Props {
  readonly form: UseFormReturnType<ProviderValues>
  readonly settings: ProviderSettings
}

/** Inputs for the options in the provider's description. */
export function ProviderOptionInputs({ form, settings }: Props) {
  const { options: texts = {} } = useGuide(settings)
  const { options, hasOfficialAccount = false } = describeLogin(settings.provider) ?? configured
  const shown = Object.entries(options).filter(
    ([, option]) => !(option.type === 'text' && option.withOfficialAccount) || form.values.official_account,
  )
  return (
    <>
      {hasOfficialAccount && (
        <Checkbox
          label={texts.official_account}
          description={texts.official_account_hint}
          {...form.getInputProps('official_account', { type: 'checkbox' })}
        />
      )}
      {shown.map(([name, option]) => (
        <OptionInput
          key={name}
          name={name}
          option={option}
          texts={texts}
          isSet={settings.options[name] === true}
          input={form.getInputProps(optionField(name))}
        />
      ))}
    </>
  )
}

interface OptionInputProps {
  readonly name: string
  readonly option: ProviderOption
  readonly texts: Readonly<Record<string, string>>
  /** Whether a secret is stored. */
  readonly isSet: boolean
  readonly input: ReturnType<Props['form']['getInputProps']>
}

function OptionInput({ name, option, texts, isSet, input }: OptionInputProps) {
  const { providers: t } = useTexts('providers')
  const about = { label: texts[name], description: texts[`${name}_hint`] }
  switch (option.type) {
    case 'choice':
      return (
        <Radio.Group {...about} {...input}>
          <Stack gap="xs" mt={6}>
            {option.values.map((value) => (
              <Radio key={value} value={value} label={texts[value]} />
            ))}
          </Stack>
        </Radio.Group>
      )
    case 'list':
      return (
        <Checkbox.Group {...about} {...input}>
          <SimpleGrid cols={2} spacing="xs" mt={6}>
            {option.values.map((value) => (
              <Checkbox key={value} value={value} label={value} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )
    case 'text':
      if (option.secret) {
        const description = isSet ? t.option_stored : about.description
        return <PasswordInput {...about} description={description} autoComplete="new-password" {...input} />
      }
      return (
        <TextInput
          {...about}
          required={option.required === true}
          maxLength={option.maximum}
          {...(option.maximum <= 20 && { maw: 240 })}
          {...input}
        />
      )
  }
}
