import { cpus, totalmem } from 'node:os'

/** What the figures were measured on. */
export function machineFacts(postgres: string): string {
  const [cpu] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return `${cpus().length} × ${cpu?.model ?? 'unknown CPU'}, ${memory}, Node ${process.versions.node}, PostgreSQL ${postgres}`
}
