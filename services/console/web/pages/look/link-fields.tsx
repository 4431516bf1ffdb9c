import { Stack, Text, TextInput } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import type { LookForm } from './look-form.ts'

const links = ['terms_url', 'privacy_url', 'support_url', 'imprint_url'] as const

/** The links below the card. */
export function LinkFields({ form }: { form: LookForm }) {
  const { look: t } = useTexts('look')
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t.link_hint}
      </Text>
      {links.map((name) => (
        <TextInput
          key={name}
          label={t.links[name]}
          type="url"
          value={form.values.theme[name] ?? ''}
          onChange={({ currentTarget: { value } }) => form.setFieldValue(`theme.${name}`, value === '' ? null : value)}
          error={form.errors[`theme.${name}`]}
        />
      ))}
    </Stack>
  )
}
