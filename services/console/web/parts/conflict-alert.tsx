import { Alert, Button, List, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTexts } from '../texts/index.tsx'
import { listFieldChanges, useValueText } from './changes.ts'

interface Props {
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
  readonly labels: Readonly<Partial<Record<string, string>>>
  readonly takeOver: () => void
}

/** The changes that someone else made while a form was open. */
export function ConflictAlert({ before, after, labels, takeOver }: Props) {
  const { common } = useTexts()
  const show = useValueText()
  return (
    <Alert role="alert" color="yellow" title={common.changed_title} icon={<IconRefresh />}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{common.changed_advice}</Text>
        <List size="sm">
          {listFieldChanges(before, after).map((change) => (
            <List.Item key={change.field}>
              {common.changed_to({ field: labels[change.field] ?? change.field, value: show(change.after) })}
            </List.Item>
          ))}
        </List>
        <Button
          size="compact-sm"
          variant="default"
          h="auto"
          styles={{ label: { whiteSpace: 'normal' } }}
          onClick={takeOver}
        >
          {common.apply_changes}
        </Button>
      </Stack>
    </Alert>
  )
}
