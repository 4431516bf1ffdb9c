import { profileItems } from 'virtual:contract'
import { configured } from 'virtual:contract/providers'
import { Accordion, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { ProfileItem, Provider } from '../../admin/types.ts'
import { describeBuiltIn } from '../../parts/describe-provider.ts'
import { useNameProvider } from '../../parts/site-providers.ts'
import { useTexts } from '../../texts/index.tsx'
import { useItemName } from './item-name.ts'

interface Props {
  readonly provider: Provider
  readonly not_stored: readonly ProfileItem[]
  readonly disabled: boolean
  readonly onChange: (notStored: ProfileItem[]) => void
}

/** Checkboxes for the stored fields of a provider. Fields that it does not currently send are in a separate section. */
export function StoredItems({ provider, not_stored, disabled, onChange }: Props) {
  const { settings: t } = useTexts('settings')
  const nameProvider = useNameProvider()
  const getName = useItemName()
  const supplied = (describeBuiltIn(provider) ?? configured).supplies
  const other = profileItems.filter((item) => !supplied.includes(item))
  const storedCount = supplied.filter((item) => !not_stored.includes(item)).length
  const setStored = (items: readonly ProfileItem[], stored: boolean) => {
    const rest = not_stored.filter((item) => !items.includes(item))
    onChange(stored ? rest : [...rest, ...items])
  }
  const renderCheckboxes = (items: readonly ProfileItem[]) => (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs">
      {items.map((item) => (
        <Checkbox
          key={item}
          label={getName(item)}
          checked={!not_stored.includes(item)}
          disabled={disabled}
          onChange={(event) => setStored([item], event.currentTarget.checked)}
        />
      ))}
    </SimpleGrid>
  )
  return (
    <Accordion.Item value={provider}>
      <Accordion.Control>
        <Group justify="space-between" pr="sm">
          {nameProvider(provider)}
          <Text size="sm" c="dimmed" {...(storedCount < supplied.length && { fw: 600 })}>
            {t.stored({ count: storedCount, all: supplied.length })}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <Checkbox
            label={t.all}
            fw={600}
            checked={storedCount === supplied.length}
            indeterminate={storedCount > 0 && storedCount < supplied.length}
            disabled={disabled}
            onChange={(event) => setStored(supplied, event.currentTarget.checked)}
          />
          {renderCheckboxes(supplied)}
          <details>
            <summary>
              <Text span size="sm" c="dimmed">
                {t.other_items}
              </Text>
            </summary>
            <Stack pt="xs">{renderCheckboxes(other)}</Stack>
          </details>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  )
}
