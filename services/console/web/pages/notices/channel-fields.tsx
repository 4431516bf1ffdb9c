import { noticeKinds } from 'virtual:contract/notices'
import { Box, Checkbox, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useRead } from '../../admin/queries.ts'
import { NameField } from '../../parts/name-field.tsx'
import { languageNames, useTexts } from '../../texts/index.tsx'
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
  const sites = useRead('listSites', { account }).data?.sites ?? []
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
      {sites.length > 0 && (
        <Checkbox.Group label={t.sites} description={t.sites_hint} {...form.getInputProps('sites')}>
          <Box mah={200} style={{ overflowY: 'auto' }}>
            <Stack gap="xs" mt={6}>
              {sites.map(({ site_id, name }) => (
                <Checkbox key={site_id} value={site_id} label={`${name} (${site_id})`} />
              ))}
            </Stack>
          </Box>
        </Checkbox.Group>
      )}
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
