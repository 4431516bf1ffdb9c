import { ActionIcon, Group, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../texts/index.tsx'
import { type Conversion, claimKey, itemParts, listConversions, profileFieldNames } from './claim-values.ts'
import { useDefinitionLabel } from './definition-labels.ts'
import type { ProviderValues } from './provider-values.ts'

interface Props {
  readonly form: UseFormReturnType<ProviderValues>
}

/** Where the provider's claims have each field of the profile, e-mail addresses, phone numbers and follow counts. */
export function ClaimFields({ form }: Props) {
  const { definition: t } = useTexts('definition')
  const getLabel = useDefinitionLabel()
  const [added, setAdded] = useState<readonly string[]>([])
  const isShown = (field: string) => form.values[claimKey(field, 'from')] !== '' || added.includes(field)
  const itemKeys = Object.entries(itemParts).flatMap(([item, parts]) => parts.map((part) => claimKey(item, part)))
  return (
    <Stack gap="sm">
      {profileFieldNames.filter(isShown).map((field) => (
        <ClaimRow
          key={field}
          form={form}
          field={field}
          onRemove={() => {
            form.setFieldValue(claimKey(field, 'from'), '')
            setAdded(added.filter((one) => one !== field))
          }}
        />
      ))}
      <Select
        label={t.claim_add}
        data={profileFieldNames.filter((field) => !isShown(field))}
        searchable
        value={null}
        onChange={(field) => field !== null && setAdded([...added, field])}
        maw={320}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {itemKeys.map((key) => (
          <TextInput key={key} {...getLabel(key)} spellCheck={false} {...form.getInputProps(key)} />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

/** What the third input of a row has. */
const details: Partial<Record<Conversion, { readonly placeholder: string; readonly minRows?: number }>> = {
  text: { placeholder: '{}' },
  text_all: { placeholder: '{}' },
  text_any: { placeholder: '{}' },
  list: { placeholder: '{}' },
  date: { placeholder: 'YYYY-MM-DD' },
  code: { placeholder: 'male=1\nfemale=2\n*=3', minRows: 3 },
}

interface RowProps extends Props {
  readonly field: (typeof profileFieldNames)[number]
  readonly onRemove: () => void
}

function ClaimRow({ form, field, onRemove }: RowProps) {
  const { definition: t } = useTexts('definition')
  const getLabel = useDefinitionLabel()
  const conversions = listConversions(field)
  const as = conversions.find((one) => one === form.values[claimKey(field, 'as')])
  const detail = as && details[as]
  const input = (part: 'from' | 'as' | 'detail') => {
    const key = claimKey(field, part)
    return { 'aria-label': getLabel(key).label, ...form.getInputProps(key) }
  }
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={500}>
          {field}
        </Text>
        <ActionIcon variant="subtle" color="gray" aria-label={t.claim_remove({ field })} onClick={onRemove}>
          <IconX size={16} />
        </ActionIcon>
      </Group>
      <TextInput placeholder="/name" spellCheck={false} {...input('from')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {conversions.length > 1 && (
          <Select
            data={conversions.map((value) => ({ value, label: t.conversions[value] }))}
            allowDeselect={false}
            {...input('as')}
          />
        )}
        {detail && <Textarea autosize minRows={1} maxRows={8} spellCheck={false} {...detail} {...input('detail')} />}
      </SimpleGrid>
    </Stack>
  )
}
