import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../deploy/local/settings.ts'
import type { Bench, BenchPart } from '../bench.ts'
import { CpuProfile, computeSelfTime, type SelfTime } from '../cpu-profile/self-time.ts'
import { createReadRequests } from '../data/read-requests.ts'
import { createHttpArm } from '../measurement/arm.ts'
import type { Product } from '../product.ts'
import type { BenchTable } from '../report/bench-report.ts'
import { emptyReport } from '../report/bench-report.ts'

/** Loads and the services whose profile each shows. */
const loads = [
  { name: 'reads', services: ['api-gateway', 'identity', 'profile'] },
  { name: 'logins', services: ['provider-auth'] },
] as const
type LoadName = (typeof loads)[number]['name']

const inFlight = 8
const ownersShown = 14

/** Where the CPU time of a process is spent, by package and directory. */
export const selfTime: BenchPart = {
  name: 'profile',
  summary:
    'self time by package and directory: the gateway, identity and profile with reads, provider-auth with logins',
  async run(bench) {
    const { directory, step } = bench
    const profiles = join(directory, 'cpu-profiles')
    mkdirSync(profiles, { recursive: true })
    const environment = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }
    const periods = new Map<LoadName, Period>()
    const services = new Map<number, string>()
    {
      // The profiles are written when the processes end.
      await using product = await bench.startProduct('profiled', { environment })
      for (const { service, pid } of product.serviceStack.members()) services.set(pid, service)
      for (const { name } of loads)
        periods.set(name, await step(`profiled ${name}`, () => loadProfiled(bench, product, name)))
    }
    const tables = await step('profiles', async () =>
      loads.flatMap(({ name, services: shown }) => {
        const selfTimes = readProfiles(profiles, services, periods.get(name) ?? { from: 0, to: 0 })
        return shown.map((service) => tabulateSelfTime(`${service}, ${name}`, selfTimes.get(service) ?? new Map()))
      }),
    )
    return [
      {
        ...emptyReport,
        title: 'Where the CPU time goes',
        text: [
          `Self time of functions by owner with ${inFlight} in flight: a package, a directory of the repository, or a module of Node.js. The reads are \`profile\`, the logins are whole ones. Native code, such as system calls, belongs to the function that calls it. The time of other threads, such as the compiler's and the collector's, is not in the profile.`,
        ],
        tables,
      },
    ]
  },
}

interface Period {
  readonly from: number
  readonly to: number
}

async function loadProfiled({ generator, size }: Bench, product: Product, load: LoadName): Promise<Period> {
  const { prepared, serviceStack, processes, gateways } = product
  const { auth, login_site } = prepared
  const workload = `profiled ${load}`
  if (load === 'reads') {
    const identityUrl = serviceStack.wiring.database_urls.get('identity') ?? ''
    await generator.prepare(workload, await createReadRequests(identityUrl, prepared.sites, 'profile'))
  } else if (login_site !== null) await generator.prepareLogins(workload, { kind: 'product', auth, login_site })
  const arm = createHttpArm(generator, { name: 'ours', workload, processes, addresses: gateways })
  const milliseconds = size.slice_seconds * size.blocks * 1_000
  let from = 0
  await arm.drive({ in_flight: inFlight, lead_ms: milliseconds / 2, duration_ms: milliseconds }, () => {
    from = monotonicMicroseconds()
  })
  return { from, to: monotonicMicroseconds() }
}

/** The clock of CPU profiles. */
function monotonicMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}

/** Node.js names its files `CPU.<date>.<time>.<process ID>.<thread>.<number>.cpuprofile`. */
function readProfiles(
  directory: string,
  services: ReadonlyMap<number, string>,
  period: Period,
): ReadonlyMap<string, SelfTime> {
  const found = readdirSync(directory).flatMap((file): [string, SelfTime][] => {
    const [, , , pid, thread] = file.split('.')
    const service = services.get(Number(pid))
    if (service === undefined || thread !== '0') return []
    const profile = CpuProfile.parse(JSON.parse(readFileSync(join(directory, file), 'utf8')))
    return [[service, computeSelfTime(profile, { ...period, root })]]
  })
  return new Map(found)
}

function tabulateSelfTime(service: string, selfTime: SelfTime): BenchTable {
  const sorted = [...selfTime].toSorted(([, a], [, b]) => b - a)
  const total = sorted.reduce((sum, [, time]) => sum + time, 0)
  const share = (time: number) => `${((100 * time) / total).toFixed(1)} %`
  const rest = sorted.slice(ownersShown).reduce((sum, [, time]) => sum + time, 0)
  return {
    head: [service, 'share of self time'],
    rows: [
      ...sorted.slice(0, ownersShown).map(([owner, time]) => [owner, share(time)]),
      ...(rest > 0 ? [['others', share(rest)]] : []),
    ],
  }
}
