import { noticeKinds } from 'virtual:contract/notices'
import { Box, Checkbox, Group, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { NameField } from '../../parts/name-field.tsx'
import { SitesChoice } from '../../parts/sites-choice.tsx'
import { useTexts } from '../../texts/index.tsx'
import { languageNames } from '../../texts/language.ts'
import type { ChannelValues } from './channel-values.ts'

/** The settings of a channel, also of a new one. */
export function ChannelFields<V extends ChannelValues>({
  form,
  account,
}: {
  form: UseFormReturnType<V>
  account: string
}) {
  const { notices: t } = useTexts('notices')
  const { time_zone: current } = form.getValues()
  const timeZones = [...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted()
  const languages = Object.entries(languageNames).map(([value, label]) => ({ value, label }))
  return (
    <>
      <NameField description={t.name_hint} data-autofocus={undefined} maxLength={60} {...form.getInputProps('name')} />
      <Checkbox.Group label={t.kinds} {...form.getInputProps('kinds')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" mt={6}>
          {noticeKinds.map((kind) => (
            <Checkbox key={kind} value={kind} label={t.kind_names[kind]} description={t.kind_hints[kind]} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <SitesChoice account={account} label={t.sites} description={t.sites_hint} {...form.getInputProps('sites')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect label={t.language} data={languages} {...form.getInputProps('language')} />
        <NativeSelect label={t.time_zone} data={timeZones} {...form.getInputProps('time_zone')} />
      </SimpleGrid>
      <Box>
        <Group grow align="flex-start">
          <TextInput type="time" label={t.quiet_from} {...form.getInputProps('quiet_from')} />
          <TextInput type="time" label={t.quiet_to} {...form.getInputProps('quiet_to')} />
        </Group>
        <Text size="xs" c="dimmed" mt={6}>
          {t.quiet_hint}
        </Text>
      </Box>
    </>
  )
}
