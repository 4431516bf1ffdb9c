import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../../deploy/local/settings.ts'
import type { Bench, BenchPart } from '../bench.ts'
import { CpuProfile, computeSelfTime, type SelfTime } from '../cpu-profile/self-time.ts'
import { createReadRequests } from '../data/read-requests.ts'
import { createHttpArm } from '../measurement/arm.ts'
import type { BenchTable } from '../report/bench-report.ts'
import { emptyReport } from '../report/bench-report.ts'

const profiled = ['api-gateway', 'identity', 'profile'] as const
const inFlight = 8
const ownersShown = 14

/** Where the CPU time of a process is spent, by package and directory. */
export const selfTime: BenchPart = {
  name: 'profile',
  summary: 'self time by package and directory of the gateway, identity and profile under load',
  async run(bench) {
    const { directory, size, step } = bench
    const profiles = join(directory, 'cpu-profiles')
    mkdirSync(profiles, { recursive: true })
    const environment = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }
    let period = { from: 0, to: 0 }
    const services = new Map<number, string>()
    {
      // The profiles are written when the processes end.
      await using product = await bench.startProduct('profiled', { environment })
      for (const { service, pid } of product.serviceStack.members()) services.set(pid, service)
      const milliseconds = size.slice_seconds * size.blocks * 1_000
      period = await step('load', () => loadProfiled(bench, product, milliseconds))
    }
    return step('profiles', async () => {
      const selfTimes = readProfiles(profiles, services, period)
      return [
        {
          ...emptyReport,
          title: 'Where the CPU time goes',
          text: [
            `Self time of functions by owner while \`profile\` is requested with ${inFlight} in flight: a package, a directory of the repository, or a module of Node.js. Native code includes system calls. Times of the kernel and of other threads, such as the compiler's, are not in the profile.`,
          ],
          tables: profiled.map((service) => tabulateSelfTime(service, selfTimes.get(service) ?? new Map())),
        },
      ]
    })
  },
}

async function loadProfiled(
  { generator }: Bench,
  { prepared, serviceStack, processes, gateways }: Awaited<ReturnType<Bench['startProduct']>>,
  milliseconds: number,
): Promise<{ from: number; to: number }> {
  const workload = 'profile while profiled'
  const identityUrl = serviceStack.wiring.database_urls.get('identity') ?? ''
  await generator.prepare(workload, await createReadRequests(identityUrl, prepared.sites, 'profile'))
  const arm = createHttpArm(generator, { name: 'ours', workload, processes, addresses: gateways })
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
  period: { from: number; to: number },
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
