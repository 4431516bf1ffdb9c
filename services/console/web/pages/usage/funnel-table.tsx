import { Progress, Text } from '@mantine/core'
import type { AdminOutput, Provider } from '../../admin/types.ts'
import { useNameProvider } from '../../parts/site-providers.ts'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

type Funnels = AdminOutput<'readLoginUsage'>['funnel']

/** Login steps by provider. */
export function FunnelTable({ of }: { of: Funnels }) {
  const { usage: t, common } = useTexts('usage')
  const nameProvider = useNameProvider()
  const format = useFormat()
  const rows = Object.entries(of) as [Provider, NonNullable<Funnels[Provider]>][]
  return (
    <DataTable
      label={t.funnel}
      rows={rows}
      name={([provider]) => provider}
      empty={t.no_data}
      columns={[
        { title: common.name, cell: ([provider]) => nameProvider(provider) },
        { title: t.started, number: true, cell: ([, one]) => format.number(one.started) },
        { title: t.returned, number: true, cell: ([, one]) => format.number(one.returned) },
        { title: t.completed, number: true, cell: ([, one]) => format.number(one.completed) },
        { title: t.denied, number: true, cell: ([, one]) => format.number(one.denied) },
        { title: t.failed, number: true, cell: ([, one]) => format.number(one.failed) },
        {
          title: t.success,
          cell: ([, { started, completed }]) => (
            <>
              <Progress value={started === 0 ? 0 : (completed / started) * 100} color="teal" miw={80} aria-hidden />
              <Text size="xs">{started === 0 ? '–' : format.percent(completed / started)}</Text>
            </>
          ),
        },
      ]}
    />
  )
}
