import { formatTable } from '../../toolkit/markdown-table.ts'
import { type Reading, reportedServers, reportedServices } from './meter.ts'

interface Row {
  readonly title: string
  readonly used: Reading
}

const reportedNames = [...reportedServices, ...reportedServers]

/** Two Markdown tables: milliseconds of CPU time, and counts. */
export function printTables(rows: readonly Row[]): string {
  const names = reportedNames.filter((name) => rows.some(({ used }) => used.has(`cpu ${name}`)))
  const serviceNames: readonly string[] = reportedServices
  const milliseconds = rows.map(({ title, used }) => {
    const each = names.map((name) => (used.get(`cpu ${name}`) ?? Number.NaN) * 1_000)
    const services = each
      .filter((_, place) => serviceNames.includes(names[place] ?? ''))
      .reduce((sum, one) => sum + one, 0)
    const all = each.reduce((sum, one) => sum + one, 0)
    return [title, ...each.map(short), short(services), short(all)]
  })
  const counts = rows.map(({ title, used }) => {
    const of = (name: string) => used.get(name) ?? Number.NaN
    return [
      title,
      of('questions').toFixed(2),
      (of('questions') * 2).toFixed(2),
      of('statements').toFixed(2),
      of('redis commands').toFixed(2),
      `${Math.round(of('log bytes')).toLocaleString('en')} kB`,
    ]
  })
  return [
    formatTable(['CPU time of one, ms', ...names, 'services', 'all'], milliseconds),
    formatTable(
      [
        'Of one',
        'calls of services',
        'NATS messages of separate processes',
        'SQL statements',
        'Redis commands',
        'logs of 1,000',
      ],
      counts,
    ),
  ].join('\n\n')
}

function short(value: number): string {
  return Number.isNaN(value) ? '–' : Math.max(value, 0).toFixed(2)
}
