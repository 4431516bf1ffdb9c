import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

export type Fact = readonly [name: string, value: ReactNode]

/** Names and values. Facts without a value are left out. */
export function FactTable({ facts, label }: { facts: readonly Fact[]; label?: string }) {
  return (
    <Table variant="vertical" withTableBorder maw={720} aria-label={label}>
      <Table.Tbody>
        {facts.filter(hasValue).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={{ base: 130, xs: 200 }}>{name}</Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function hasValue([, value]: Fact): boolean {
  return value !== null && value !== undefined && value !== false && value !== ''
}
