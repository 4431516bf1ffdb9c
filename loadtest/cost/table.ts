import { formatTable } from '../markdown-table.ts'
import { type Reading, reportedServers, reportedServices } from './meter.ts'

interface Row {
  readonly title: string
  readonly used: Reading
}

const reportedNames = [...reportedServices, ...reportedServers]

/** Two Markdown tables: milliseconds of CPU time, and counts. */
export function printTables(rows: readonly Row[]): string {
  const milliseconds = rows.map(({ title, used }) => {
    const each = reportedNames.map((name) => (used.get(`cpu ${name}`) ?? Number.NaN) * 1_000)
    const services = each.slice(0, reportedServices.length).reduce((sum, one) => sum + one, 0)
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
    formatTable(['Processor time of one, ms', ...reportedNames, 'services', 'all'], milliseconds),
    formatTable(
      ['Of one', 'questions over the bus', 'messages of NATS', 'SQL statements', 'Redis commands', 'logs of 1,000'],
      counts,
    ),
  ].join('\n\n')
}

function short(value: number): string {
  return Number.isNaN(value) ? '–' : Math.max(value, 0).toFixed(2)
}
