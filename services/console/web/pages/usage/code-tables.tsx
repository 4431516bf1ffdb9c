import { Code, SimpleGrid } from '@mantine/core'
import type { AdminOutput } from '../../admin/types.ts'
import { Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'

/** Calls by error code and by operation. */
export function CodeTables({ codes, operations }: Pick<AdminOutput<'readApiUsage'>, 'codes' | 'operations'>) {
  const { usage: t } = useTexts('usage')
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
      <Section title={t.codes}>
        <DataTable
          label={t.codes}
          rows={codes}
          name={({ code }) => String(code)}
          empty={t.no_data}
          columns={[
            { title: t.code, cell: ({ code }) => (code === 0 ? t.no_error : <Code>{code}</Code>) },
            { title: t.count, number: true, value: ({ count }) => count },
          ]}
        />
      </Section>
      <Section title={t.operations}>
        <DataTable
          label={t.operations}
          rows={operations}
          name={({ operation }) => operation}
          empty={t.no_data}
          columns={[
            { title: t.operation, cell: ({ operation }) => <Code>{operation}</Code> },
            { title: t.count, number: true, value: ({ count }) => count },
          ]}
        />
      </Section>
    </SimpleGrid>
  )
}
