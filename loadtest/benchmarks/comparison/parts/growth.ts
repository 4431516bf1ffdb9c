import { builtInProviders } from '#contracts'
import type { Bench, BenchPart } from '../bench.ts'
import { linkEveryProvider } from '../data/more-links.ts'
import { createReadRequests } from '../data/read-requests.ts'
import type { LoadRequest } from '../generator/protocol.ts'
import { createHttpArm } from '../measurement/arm.ts'
import { compareArms } from '../measurement/blocks.ts'
import type { Product } from '../product.ts'
import { emptyReport } from '../report/bench-report.ts'
import { formatCount, formatRatio } from '../report/format.ts'

const factor = 100
/** Sites that have users with few links: one of this many. */
const siteStride = 2
/** Of the usual number of users. */
const fewestShare = 1 / 40
const inFlight = 8

const operations = ['providers_of_user', 'profile', 'users'] as const
type GrowthOperation = (typeof operations)[number]

/** Whether a request gets dearer with the number of users. */
export const growth: BenchPart = {
  name: 'growth',
  summary: `reads with ${factor} times as many users`,
  async run(bench) {
    const few = Math.max(1, Math.round(bench.size.users * fewestShare))
    await using small = await bench.startProduct('few-users', { users: few })
    await using large = await bench.startProduct('many-users', { users: few * factor })
    const rows: string[][] = []
    for (const operation of operations) {
      const arms = [await createArm(bench, operation, large, 'many'), await createArm(bench, operation, small, 'few')]
      const [many, fewer] = await bench.compare(`growth, ${operation}`, arms, { in_flight: inFlight })
      if (many !== undefined && fewer !== undefined)
        rows.push([`\`${operation}\``, formatRatio(compareArms(many, fewer))])
    }
    rows.push(await compareLinks(bench, small))
    return [
      {
        ...emptyReport,
        title: 'Growth',
        text: [
          `CPU time per request with ${formatCount(few * factor)} users to that with ${formatCount(few)}, with ${inFlight} in flight, in as many sites. Each is a product with its own Postgres. \`users\` returns the first 20. The last row compares users of one product by their links: to all providers, and to one or two.`,
        ],
        tables: [{ head: ['Operation', 'CPU, many : few'], rows }],
      },
    ]
  },
}

/** Users with a link to every provider against users with one or two links, at the same product. */
async function compareLinks({ generator, compare }: Bench, product: Product): Promise<string[]> {
  const { serviceStack, prepared, processes, gateways } = product
  const identityUrl = serviceStack.wiring.database_urls.get('identity') ?? ''
  const [linked, usual] = [0, 1].map((rest) => prepared.sites.filter((_, n) => n % siteStride === rest))
  await linkEveryProvider(identityUrl, linked ?? [])
  const arm = async (name: string, sites: Product['prepared']['sites'] = []) => {
    await generator.prepare(name, await createReadRequests(identityUrl, sites, 'providers_of_user'))
    return createHttpArm(generator, { name, workload: name, processes, addresses: gateways })
  }
  const arms = [await arm('many links', linked), await arm('few links', usual)]
  const [many, few] = await compare('growth, links', arms, { in_flight: inFlight })
  if (many === undefined || few === undefined) throw new Error('The links were not measured.')
  return [`\`providers_of_user\`, users with ${builtInProviders.length} links`, formatRatio(compareArms(many, few))]
}

async function createArm({ generator }: Bench, operation: GrowthOperation, product: Product, size: 'many' | 'few') {
  const { serviceStack, prepared, processes, gateways } = product
  const identityUrl = serviceStack.wiring.database_urls.get('identity') ?? ''
  const workload = `${operation} of ${size} users`
  const requests =
    operation === 'users' ? listUsers(product) : await createReadRequests(identityUrl, prepared.sites, operation)
  await generator.prepare(workload, requests)
  return createHttpArm(generator, { name: `${size} users`, workload, processes, addresses: gateways })
}

function listUsers({ prepared }: Product): readonly (readonly LoadRequest[])[] {
  return prepared.sites.map(({ api_key }) => [
    {
      method: 'GET',
      path: '/api/users?limit=20',
      headers: { authorization: `Bearer ${api_key}` },
      status: 200,
      contains: ['"total":'],
    },
  ])
}
