import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, BenchPart } from '../bench.ts'
import { CpuProfile, computeSelfTime, type SelfTime } from '../cpu-profile/self-time.ts'
import { createSourceFinder } from '../cpu-profile/source-maps.ts'
import { createReadRequests } from '../data/read-requests.ts'
import { createHttpArm, type HttpArm } from '../measurement/arm.ts'
import type { Product } from '../product.ts'
import type { BenchTable } from '../report/bench-report.ts'
import { emptyReport, nameProfile, profilesTitle } from '../report/bench-report.ts'
import { createUserinfoRequests, findAuthAddresses } from './logins.ts'
import { createWrongKeyRequests, wrongKeyShape } from './rejections.ts'

/** Loads and the services whose profile each shows. */
const loads = [
  { name: 'reads', services: ['api-gateway', 'identity', 'profile'] },
  { name: 'rejections', services: ['api-gateway'] },
  { name: 'logins', services: ['provider-auth'] },
  { name: 'userinfo', services: ['provider-auth'] },
] as const
type LoadName = (typeof loads)[number]['name']

/** The services whose profile of the start is shown: those with the most CPU time until they are ready. */
const started = ['provider-auth', 'api-gateway']
/** Longer than a start, but without load. */
const startMs = 1_000

const inFlight = 8
const ownersShown = 14

/** Where the CPU time of a process is spent, by package and directory. */
export const selfTime: BenchPart = {
  name: 'profile',
  summary:
    'self time by package and directory: the gateway, identity and profile with reads, provider-auth with logins and userinfo',
  async run(bench) {
    const { directory, step } = bench
    const profiles = join(directory, 'cpu-profiles')
    mkdirSync(profiles, { recursive: true })
    const environment = { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` }
    const periods = new Map<LoadName, Period>()
    const services = new Map<number, string>()
    let built: string
    {
      // The profiles are written when the processes end.
      await using product = await bench.startProduct('profiled', { environment })
      built = product.serviceStack.built
      for (const { service, pid } of product.serviceStack.members()) services.set(pid, service)
      for (const { name } of loads)
        periods.set(name, await step(`profiled ${name}`, () => loadProfiled(bench, product, name)))
    }
    const tables = await step('profiles', async () => {
      const byService = readProfiles(profiles, services)
      const findSource = createSourceFinder(built)
      const tabulate = (service: string, what: string, findPeriod: (profile: CpuProfile) => Period) => {
        const profile = byService.get(service)
        if (profile === undefined) throw new Error(`There is no profile of ${service}.`)
        return tabulateSelfTime(
          nameProfile(service, what),
          computeSelfTime(profile, { ...findPeriod(profile), findSource }),
        )
      }
      return [
        ...loads.flatMap(({ name, services: shown }) =>
          shown.map((service) => tabulate(service, name, () => periods.get(name) ?? { from: 0, to: 0 })),
        ),
        ...started.map((service) =>
          tabulate(service, 'start', ({ startTime }) => ({ from: startTime, to: startTime + startMs * 1_000 })),
        ),
      ]
    })
    return [
      {
        ...emptyReport,
        title: profilesTitle,
        text: [
          `Self time of functions by owner with ${inFlight} in flight: a package, a directory of the repository, or a module of Node.js. The reads are \`profile\`, the rejections are 401 with an unknown key, the logins are whole ones, userinfo is with their tokens, and a start is the first ${startMs / 1_000} s of a process. Native code, such as system calls, belongs to the function that calls it; \`stream_base_commons\` writes to sockets. Waiting for a core counts too, mostly in a write that wakes up its receiver. The time of other threads, such as the compiler's and the collector's, is not in the profile.`,
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
  let shape: HttpArm['shape']
  let addresses = gateways
  if (load === 'reads') {
    const identityUrl = serviceStack.wiring.database_urls.get('identity') ?? ''
    await generator.prepare(workload, await createReadRequests(identityUrl, prepared.sites, 'profile'))
  } else if (load === 'rejections') {
    shape = wrongKeyShape
    await generator.prepare(workload, createWrongKeyRequests())
  } else if (login_site === null) throw new Error('There is no site for logins.')
  else if (load === 'logins') await generator.prepareLogins(workload, { kind: 'product', auth, login_site })
  else {
    addresses = () => findAuthAddresses(serviceStack)
    await generator.prepare(workload, [await createUserinfoRequests(auth, login_site)])
  }
  const arm = createHttpArm(generator, {
    name: 'ours',
    workload,
    processes,
    addresses,
    ...(shape !== undefined && { shape }),
  })
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
function readProfiles(directory: string, services: ReadonlyMap<number, string>): ReadonlyMap<string, CpuProfile> {
  const found = readdirSync(directory).flatMap((file): [string, CpuProfile][] => {
    const [, , , pid, thread] = file.split('.')
    const service = services.get(Number(pid))
    if (service === undefined || thread !== '0') return []
    return [[service, CpuProfile.parse(JSON.parse(readFileSync(join(directory, file), 'utf8')))]]
  })
  return new Map(found)
}

function tabulateSelfTime(title: string, selfTime: SelfTime): BenchTable {
  const sorted = [...selfTime].toSorted(([, a], [, b]) => b - a)
  const total = sorted.reduce((sum, [, time]) => sum + time, 0)
  const share = (time: number) => `${((100 * time) / total).toFixed(1)} %`
  const rest = sorted.slice(ownersShown).reduce((sum, [, time]) => sum + time, 0)
  return {
    head: [title, 'share of self time'],
    rows: [
      ...sorted.slice(0, ownersShown).map(([owner, time]) => [owner, share(time)]),
      ...(rest > 0 ? [['others', share(rest)]] : []),
    ],
  }
}
