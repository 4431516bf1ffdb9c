import { Alert, Stack, Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  readonly isSuccess: boolean
  /** The result, in a sentence. */
  readonly result: string
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
}

/** A request: its result, and a table of details. */
export function RequestFacts({ isSuccess, result, facts }: Props) {
  return (
    <Stack role="status">
      <Alert color={isSuccess ? 'teal' : 'yellow'}>{result}</Alert>
      <Table variant="vertical" withTableBorder maw={720}>
        <Table.Tbody>
          {facts.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th w={{ base: 130, xs: 200 }}>{name}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
