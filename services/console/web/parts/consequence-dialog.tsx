import { Alert, Button, Group, List, Stack, Table, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTexts } from '../texts/index.tsx'
import { type FieldChange, useValueText } from './changes.ts'
import { Dialog } from './dialog.tsx'

/** Changes that end something, until the member decides about them. */
export interface Confirmation {
  readonly changes: readonly FieldChange[]
  readonly consequences: readonly string[]
  readonly decide: (save: boolean) => void
}

/** Shows before saving what a form changes, and what the change ends. */
export function ConsequenceDialog(
  props: Confirmation & { readonly labels: Readonly<Partial<Record<string, string>>> },
) {
  const { changes, consequences, decide, labels } = props
  const { common } = useTexts()
  const show = useValueText()
  return (
    <Dialog opened onClose={() => decide(false)} title={common.consequences.title} size="lg">
      <Stack>
        <Alert color="yellow" icon={<IconAlertTriangle />}>
          <List size="sm">
            {consequences.map((sentence) => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        </Alert>
        <Table.ScrollContainer minWidth={420}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{common.consequences.field}</Table.Th>
                <Table.Th>{common.consequences.before}</Table.Th>
                <Table.Th>{common.consequences.after}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.map(({ field, before, after }) => (
                <Table.Tr key={field}>
                  <Table.Th scope="row">{labels[field] ?? field}</Table.Th>
                  <Value text={show(before)} />
                  <Value text={show(after)} />
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => decide(false)} data-autofocus>
            {common.cancel}
          </Button>
          <Button color="red" onClick={() => decide(true)}>
            {common.consequences.save}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Lists have one line for each entry. */
function Value({ text }: { text: string }) {
  return (
    <Table.Td>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </Table.Td>
  )
}
