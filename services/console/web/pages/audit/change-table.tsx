import { Code, Table, Text } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'

/** The changed fields, with their values before and after. */
export function ChangeTable({ before, after }: { before: unknown; after: unknown }) {
  const { audit: t } = useTexts('audit')
  const oldFields = flattenFields(before)
  const newFields = flattenFields(after)
  const changed = [...new Set([...oldFields.keys(), ...newFields.keys()])].filter(
    (field) => oldFields.get(field) !== newFields.get(field),
  )
  if (changed.length === 0)
    return (
      <Text c="dimmed" size="sm">
        {t.no_details}
      </Text>
    )
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table withTableBorder layout="fixed" aria-label={t.changes}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="28%">{t.field}</Table.Th>
            <Table.Th>{t.before}</Table.Th>
            <Table.Th>{t.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changed.map((field) => (
            <Table.Tr key={field}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{field}</Table.Td>
              <Table.Td>
                <Value of={oldFields.get(field)} color="red" />
              </Table.Td>
              <Table.Td>
                <Value of={newFields.get(field)} color="teal" />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Value({ of, color }: { of: string | undefined; color: string }) {
  if (of === undefined) return null
  return (
    <Code color={`var(--mantine-color-${color}-light)`} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {of}
    </Code>
  )
}

/** Flattens a value to text by path. Lists stay whole; objects become their fields. */
function flattenFields(value: unknown, path = ''): Map<string, string> {
  if (value === null || value === undefined) return new Map()
  if (typeof value !== 'object' || Array.isArray(value)) {
    return new Map([[path || '·', typeof value === 'string' ? value : JSON.stringify(value)]])
  }
  const inner = Object.entries(value).flatMap(([field, one]) => {
    const innerPath = path === '' ? field : `${path}.${field}`
    return one === null ? ([[innerPath, 'null']] as [string, string][]) : [...flattenFields(one, innerPath)]
  })
  return new Map(inner)
}
