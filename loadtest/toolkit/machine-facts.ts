import { cpus, loadavg, totalmem } from 'node:os'

/** Describes the machine of the measurement. */
export function machineFacts(postgres?: string): string {
  const [cpu] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  // The load of the machine, including the benchmark.
  const load = `load average ${loadavg()[1]?.toFixed(1)} in 5 min`
  return `${cpus().length} × ${cpu?.model ?? 'unknown CPU'}, ${memory}, Node ${process.versions.node}, ${postgres === undefined ? '' : `PostgreSQL ${postgres}, `}${load}`
}
