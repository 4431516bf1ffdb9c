import { randomBytes } from 'node:crypto'
import { provisionDatabase } from '#database'
import { findFreePort } from '#local'
import { newToken } from '#runtime'
import { tokenPrefixes } from '../../../../services/provider-auth/domain/token-prefixes.ts'
import type { LoginSite } from '../../../seed/prepared.ts'
import type { LoadTestStack } from '../../../toolkit/stack/start.ts'
import { authorizeFrom } from '../../cost/login.ts'
import type { Bench, BenchPart } from '../bench.ts'
import { buildPeerAuthorizeUrl, logInAtPeer } from '../generator/peer-logins.ts'
import type { LoadRequest } from '../generator/protocol.ts'
import { type Arm, createHttpArm, type HttpArm } from '../measurement/arm.ts'
import { type ArmMeasurement, compareArms, compareToSum } from '../measurement/blocks.ts'
import { type Peer, startPeer } from '../peers/start-peer.ts'
import type { Product } from '../product.ts'
import type { BenchReport, TargetFigure } from '../report/bench-report.ts'
import { findArm, judgeControl, tabulateArms, tabulateProcesses } from './figures.ts'

const ours = 'ours'
const oursAgain = 'ours again'
const peer = 'oidc-provider'
const peerInMemory = 'oidc-provider, state in memory'
const exchange = 'exchange'

const inFlight = 8
/** A login enqueues work for other services, which is done by then. */
const settleMs = 1_500
const mostOfSum = 1.2
const mostOfPeer = 1
/** Access tokens, and unknown codes, that requests alternate between. */
const tokenCount = 10
const codeCount = 500

const peerClient = {
  client_id: 'bench',
  client_secret: 'bench-secret-0123456789',
  redirect_uri: 'https://shop.example.com/callback',
}

/** A request to the OpenID Provider that both sides serve. */
interface EndpointCase {
  readonly title: string
  readonly name: string
  readonly ours: readonly LoadRequest[]
  readonly peer: (address: string) => Promise<readonly LoadRequest[]>
}

interface Sides {
  readonly ours: Pick<Arm, 'processes'> & { readonly addresses: () => readonly string[] }
  readonly peer: Peer
  readonly peerInMemory: Peer
  readonly exchange: Peer
}

/** Logins and the endpoints of the OpenID Provider. */
export const logins: BenchPart = {
  name: 'logins',
  summary: 'whole logins, userinfo, the token endpoint and the authorization request against oidc-provider',
  async run(bench) {
    await using stack = new AsyncDisposableStack()
    const product = stack.use(await bench.startProduct('logins', { gateways: 1 }))
    const { serviceStack, prepared, processes } = product
    const { auth, login_site } = prepared
    if (login_site === null) throw new Error('There is no site for logins.')
    const addresses = () => findAuthAddresses(serviceStack)
    const peers = await bench.step('peers', () => startPeers(product, stack))
    const sides: Sides = { ours: { processes, addresses }, ...peers }
    const whole = await measureLogins(bench, sides, { auth, login_site })
    const cases = await createCases(auth, login_site)
    const reports: BenchReport[] = [whole]
    for (const one of cases) reports.push(await measureEndpoint(bench, sides, one))
    return reports
  },
}

/** Base addresses of provider-auth, without the balancer. */
function findAuthAddresses({ members }: Pick<LoadTestStack, 'members'>): readonly string[] {
  return members().flatMap(({ service, address }) => {
    return service === 'provider-auth' && address !== undefined ? [address] : []
  })
}

/** Requests to userinfo with the tokens of several logins. */
async function createUserinfoRequests(auth: string, loginSite: LoginSite): Promise<readonly LoadRequest[]> {
  const tokens = Array.from({ length: tokenCount }, (_, n) => authorizeFrom({ auth, login_site: loginSite }, n))
  return (await Promise.all(tokens)).map((token) => withToken('/oauth2/userinfo', token))
}

async function startPeers(product: Product, stack: AsyncDisposableStack): Promise<Omit<Sides, 'ours'>> {
  const { wiring } = product.serviceStack
  const start = async (...description: Parameters<typeof startPeer>) => {
    const { peer, process } = await startPeer(...description)
    stack.use(process)
    return peer
  }
  const startProvider = async (state: 'postgres' | 'memory') => {
    const name = `oidc_peer_${state}`
    const password = randomBytes(24).toString('base64url')
    const environment = {
      PEER_DATABASE_URL: await provisionDatabase(wiring.postgres_url, { name, password }),
      PORT: String(await findFreePort()),
      STATE: state,
      CLIENT: JSON.stringify(peerClient),
    }
    return start(product, { name: peer, script: 'oidc-provider.ts', environment, usesPostgres: true })
  }
  const environment = { PORT: String(await findFreePort()), SIMULATOR_URL: wiring.addresses.simulator }
  return {
    peer: await startProvider('postgres'),
    peerInMemory: await startProvider('memory'),
    exchange: await start(product, { name: exchange, script: 'exchange.ts', environment, usesPostgres: false }),
  }
}

async function measureLogins(
  { generator, compare }: Bench,
  sides: Sides,
  target: { readonly auth: string; readonly login_site: LoginSite },
): Promise<BenchReport> {
  await generator.prepareLogins(ours, { kind: 'product', ...target })
  await generator.prepareLogins(peer, { kind: peer, address: sides.peer.address, client: peerClient })
  await generator.prepareLogins(peerInMemory, { kind: peer, address: sides.peerInMemory.address, client: peerClient })
  await generator.prepareLogins(exchange, { kind: exchange, address: sides.exchange.address })
  const arms = [
    createHttpArm(generator, { name: ours, workload: ours, ...sides.ours }),
    createPeerArm(generator, { name: peer, workload: peer }, sides.peer),
    createPeerArm(generator, { name: exchange, workload: exchange }, sides.exchange),
    createPeerArm(generator, { name: peerInMemory, workload: peerInMemory }, sides.peerInMemory),
    createHttpArm(generator, { name: oursAgain, workload: ours, ...sides.ours }),
  ]
  const measured = await compare('whole logins', arms, { in_flight: inFlight, settle_ms: settleMs })
  return {
    title: 'Whole logins',
    text: [
      `A request in this table is a whole login, with ${inFlight} in progress: authorization endpoint, sign-in, code, token endpoint, userinfo. Our end users sign in at a simulated login provider, whose CPU time does not count. oidc-provider knows its users itself and stores its state in Postgres by one prepared statement for each call; its login therefore lacks the exchange with a login provider. "exchange" is that exchange alone, by openid-client: authorization request, token request, verified ID Token, userinfo.`,
    ],
    tables: [tabulateArms(`${inFlight} in flight`, measured), tabulateProcesses('µs by process', measured)],
    targets: [
      {
        what: 'whole login : oidc-provider + exchange with the login provider',
        value: compareToSum(findArm(measured, ours), [findArm(measured, peer), findArm(measured, exchange)]),
        limit: { at_most: mostOfSum },
      },
    ],
    warnings: judgeControl('Whole logins', measured, ours, oursAgain),
  }
}

async function measureEndpoint({ generator, compare }: Bench, sides: Sides, one: EndpointCase): Promise<BenchReport> {
  const arm = async (name: string, requests: readonly LoadRequest[], side: Sides['ours']) => {
    const workload = `${one.name} of ${name}`
    await generator.prepare(workload, [requests])
    return createHttpArm(generator, { name, workload, ...side })
  }
  const peerArm = async (name: string, { address, processes }: Peer) =>
    arm(name, await one.peer(address), { processes, addresses: () => [address] })
  const arms = [
    await arm(ours, one.ours, sides.ours),
    await peerArm(peer, sides.peer),
    await peerArm(peerInMemory, sides.peerInMemory),
    await arm(oursAgain, one.ours, sides.ours),
  ]
  const measured = await compare(one.name, arms, { in_flight: inFlight })
  return {
    title: one.title,
    text: [],
    tables: [tabulateArms(`${inFlight} in flight`, measured), tabulateProcesses('µs by process', measured)],
    targets: [createTarget(one, measured)],
    warnings: judgeControl(one.title, measured, ours, oursAgain),
  }
}

function createPeerArm(
  generator: Bench['generator'],
  { name, workload }: Pick<HttpArm, 'name' | 'workload'>,
  { address, processes }: Peer,
): Arm {
  return createHttpArm(generator, { name, workload, processes, addresses: () => [address] })
}

function createTarget({ name }: EndpointCase, measured: readonly ArmMeasurement[]): TargetFigure {
  return {
    what: `${name} : oidc-provider`,
    value: compareArms(findArm(measured, ours), findArm(measured, peer)),
    limit: { at_most: mostOfPeer },
  }
}

async function createCases(auth: string, loginSite: LoginSite): Promise<readonly EndpointCase[]> {
  const { client } = loginSite
  const authorize = new URL(client.authorize.search ?? '')
  const { client_id, redirect_uri } = client
  const parameters = { client_id, redirect_uri, response_type: 'code', scope: 'openid profile email', state: 'bench' }
  const times = Array.from({ length: tokenCount }, (_, n) => n)
  return [
    {
      title: 'Userinfo',
      name: 'userinfo',
      ours: await createUserinfoRequests(auth, loginSite),
      async peer(address) {
        const tokens = await Promise.all(times.map((n) => logInAtPeer({ address, client: peerClient }, n)))
        return tokens.map((token) => withToken('/me', token))
      },
    },
    {
      title: 'Token endpoint, unknown code',
      name: 'token endpoint with an unknown code',
      ours: redeem('/oauth2/token', client, () => newToken(tokenPrefixes.authorization_code)),
      peer: async () => redeem('/token', peerClient, () => randomBytes(32).toString('base64url')),
    },
    {
      title: 'Authorization request',
      name: 'authorization request',
      ours: [
        { method: 'GET', path: `${authorize.pathname}?${new URLSearchParams(parameters)}`, headers: {}, status: 302 },
      ],
      async peer(address) {
        const { pathname, search } = new URL(buildPeerAuthorizeUrl({ address, client: peerClient }))
        return [{ method: 'GET', path: `${pathname}${search}`, headers: {}, status: 303 }]
      },
    },
  ]
}

function withToken(path: string, token: string): LoadRequest {
  return { method: 'GET', path, headers: { authorization: `Bearer ${token}` }, status: 200, contains: ['"sub":'] }
}

function redeem(
  path: string,
  { client_id, client_secret, redirect_uri }: typeof peerClient,
  createCode: () => string,
): readonly LoadRequest[] {
  return Array.from({ length: codeCount }, () => ({
    method: 'POST',
    path,
    headers: {
      authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'authorization_code', code: createCode(), redirect_uri }).toString(),
    status: 400,
    contains: ['"invalid_grant"'],
  }))
}
