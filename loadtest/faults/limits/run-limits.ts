import { type DependencyFault, dependencyFaults } from '../dependencies/dependency-faults.ts'
import type { FaultPart, PartOptions, PartReport } from '../part.ts'
import { startReplicatedStack } from '../replicas/replicated-stack.ts'
import type { ServiceReplicas } from '../replicas/service-replicas.ts'
import { type FaultSite, openFaultSite } from '../site.ts'
import { defaultLimit, type LimitResult, runLimitCase } from './limit-case.ts'

const cases = new Map<string, DependencyFault | undefined>([
  ['limit', undefined],
  ...dependencyFaults
    .filter(({ name }) => name.startsWith('redis_'))
    .map((fault): [string, DependencyFault] => [`limit_${fault.name}`, fault]),
])

/** The rate limit of a site over three gateways, while Redis fails. */
export const limits: FaultPart = {
  name: 'limits',
  description: `sends more than ${defaultLimit} requests within a window to three gateways while Redis fails`,
  cases: [...cases.keys()],
  core: [],
  run,
}

async function run({ directory, selected, step, interruption, print, save }: PartOptions): Promise<PartReport> {
  await using stack = await startReplicatedStack(directory, { step, interruption })
  await using site = await step('Site', () => openFaultSite(stack, defaultLimit))
  const chosen = new Map([...cases].filter(([name]) => selected.includes(name)))
  const results = await runLimitCases(chosen, { stack, site, limit: defaultLimit, print, save })
  return formatLimits(results)
}

/** Runs cases, by name, one after another. */
export async function runLimitCases<S extends ServiceReplicas>(
  chosen: ReadonlyMap<string, DependencyFault<S> | undefined>,
  {
    stack,
    site,
    limit,
    print,
    save,
  }: { readonly stack: S; readonly site: FaultSite; readonly limit: number } & Pick<PartOptions, 'print' | 'save'>,
): Promise<LimitResult[]> {
  const results: LimitResult[] = []
  for (const [name, fault] of chosen) {
    const result = await runLimitCase({ stack, site, fault, limit })
    results.push(result)
    print(`${name}: ${result.admitted} of ${result.requests} admitted, ${result.violations.length} violations`)
    for (const violation of result.violations) print(`  ${violation}`)
    save(formatLimits(results, { limit }))
  }
  return results
}

export function formatLimits(
  results: readonly LimitResult[],
  { title = 'Limits', limit = defaultLimit } = {},
): PartReport {
  const rows = results.map(({ fault, requests, admitted, admittedAlone, violations }) =>
    [fault ?? 'none', requests, admitted, admittedAlone, violations.length].join(' | '),
  )
  const text = [
    `## ${title}`,
    '',
    `Requests to three gateways within one window of a site whose limit is ${limit}. The fault comes and goes three times. If no gateway counts alone, exactly the limit must be admitted; otherwise at most one request per gateway more.`,
    '',
    '| Fault | Requests | Admitted | By a gateway alone | Violations |',
    '|---|--:|--:|--:|--:|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n')
  return { text, violations: results.flatMap(({ violations }) => violations) }
}
