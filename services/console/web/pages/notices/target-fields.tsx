import { Radio, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../texts/index.tsx'
import type { NewChannelValues } from './channel-values.ts'

/** Where a new channel leads to: an e-mail address or a chat. */
export function TargetFields({ form, hasEmail }: { form: UseFormReturnType<NewChannelValues>; hasEmail: boolean }) {
  const { notices: t } = useTexts('notices')
  return (
    <>
      <Radio.Group label={t.target} {...form.getInputProps('target')}>
        <Stack gap="xs" mt={6}>
          <Radio
            value="email"
            label={t.targets.email}
            description={hasEmail ? t.target_hints.email : t.no_email}
            disabled={!hasEmail}
          />
          <Radio value="chat" label={t.targets.chat} description={t.target_hints.chat} />
        </Stack>
      </Radio.Group>
      {form.getValues().target === 'email' ? (
        <TextInput
          key="email"
          label={t.targets.email}
          type="email"
          placeholder="team@example.com"
          required
          data-autofocus
          {...form.getInputProps('email_address')}
        />
      ) : (
        <TextInput
          key="chat"
          label={t.chat_url}
          description={t.chat_url_hint}
          type="url"
          placeholder="https://chat.example.com/hooks/…"
          autoComplete="off"
          required
          {...form.getInputProps('chat_url')}
        />
      )}
    </>
  )
}
