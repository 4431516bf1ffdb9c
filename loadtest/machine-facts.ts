import { cpus, loadavg, totalmem } from 'node:os'

/** What the figures were measured on. */
export function machineFacts(postgres?: string): string {
  const [cpu] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  // How busy the machine was with all that ran on it, the benchmark included.
  const load = `load average ${loadavg()[1]?.toFixed(1)} in 5 min`
  return `${cpus().length} × ${cpu?.model ?? 'unknown CPU'}, ${memory}, Node ${process.versions.node}, ${postgres === undefined ? '' : `PostgreSQL ${postgres}, `}${load}`
}
