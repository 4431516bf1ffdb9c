import { Progress, Text } from '@mantine/core'
import type { Output, Provider } from '../../admin/types.ts'
import { Rows } from '../../parts/rows.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

type Funnels = Output<'readLoginInsight'>['funnel']

/** How far logins got, by provider. */
export function Funnel({ of }: { of: Funnels }) {
  const { insight: t, common } = useTexts()
  const format = useFormat()
  const rows = Object.entries(of) as [Provider, NonNullable<Funnels[Provider]>][]
  return (
    <Rows
      label={t.funnel}
      rows={rows}
      name={([provider]) => provider}
      empty={t.nothing}
      columns={[
        { title: common.name, cell: ([provider]) => common.providers[provider] },
        { title: t.begun, number: true, cell: ([, one]) => format.number(one.begun) },
        { title: t.returned, number: true, cell: ([, one]) => format.number(one.returned) },
        { title: t.completed, number: true, cell: ([, one]) => format.number(one.completed) },
        { title: t.denied, number: true, cell: ([, one]) => format.number(one.denied) },
        { title: t.failed, number: true, cell: ([, one]) => format.number(one.failed) },
        {
          title: t.success,
          cell: ([, { begun, completed }]) => (
            <>
              <Progress value={begun === 0 ? 0 : (completed / begun) * 100} color="teal" miw={80} aria-hidden />
              <Text size="xs">{begun === 0 ? '–' : format.percent(completed / begun)}</Text>
            </>
          ),
        },
      ]}
    />
  )
}
