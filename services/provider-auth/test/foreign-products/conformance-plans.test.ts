import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Fault } from '#contracts'
import { type SeededSite, type SharedStack, seedSite, sharedStack } from '#testing'
import { buildLoginUrl, followToApplication, saveConfigured } from '../configured-login.ts'

/** The OpenID Foundation's conformance suite, in its development mode; without it, the tests are skipped. */
const suite = process.env.CONFORMANCE_SUITE_URL

const client = { client_id: 'login-service', client_secret: 'a-secret-of-the-provider-and-of-us' }
const pollMs = 200

/** The certification plans for relying parties that use the code flow. */
const plans = [
  { planName: 'oidcc-client-basic-certification-test-plan', variant: {}, changes: {} },
  {
    planName: 'oidcc-client-config-certification-test-plan',
    variant: { response_mode: 'default', client_auth_type: 'client_secret_basic' },
    changes: {},
  },
  {
    planName: 'oidcc-client-formpost-basic-certification-test-plan',
    variant: {},
    changes: { response_mode: 'form_post' },
  },
]
const common = { client_registration: 'static_client', request_type: 'plain_http_request' }

const Plan = z.object({
  id: z.string(),
  modules: z.array(z.object({ testModule: z.string(), variant: z.record(z.string(), z.string()) })),
})
const Module = z.object({ id: z.string() })
const Info = z.object({ status: z.string(), result: z.string().nullish() })

describe.skipIf(suite === undefined).each(plans)('$planName', ({ planName, variant, changes }) => {
  let stack: SharedStack
  let site: SeededSite
  beforeAll(async () => {
    stack = await sharedStack()
    site = await seedSite(stack)
  })

  test('has no failure', async () => {
    // The settings of a plan name one callback, so each module runs in a plan of its own.
    const { modules } = await createPlan({ planName, variant }, 'list', 'https://unused.example/callback')
    const results: Record<string, string> = {}
    for (const [index, module] of modules.entries()) {
      const provider = `p${index}`
      const alias = `${planName}-${index}`
      const { provider_callback } = await readSettings(provider)
      const plan = await createPlan({ planName, variant }, alias, provider_callback)
      const name = `${module.testModule} ${JSON.stringify(module.variant)}`
      results[name] = await runModule(plan.id, module, async (hasEnded) => {
        const protocol = { issuer: `${suite}/test/a/${alias}/`, ...changes }
        try {
          await saveConfigured(stack, site, provider, { client, protocol })
        } catch (error) {
          // A wrong discovery document is noticed when it is saved.
          if (error instanceof Fault) return
          throw error
        }
        const { authorize_uri } = await readSettings(provider)
        const start = buildLoginUrl(site, authorize_uri ?? '', 'openid profile email phone address')
        // The keys are replaced between two logins.
        const logins = module.testModule.includes('rotation') ? 2 : 1
        for (let login = 0; login < logins && !(await hasEnded()); login++) await followToApplication(site, start)
      })
    }
    expect(Object.entries(results).filter(([, result]) => !/^(PASSED|WARNING|REVIEW|SKIPPED)$/.test(result))).toEqual(
      [],
    )
  }, 600_000)

  const readSettings = (provider: string) =>
    stack.provider_auth.readProviderSettings({ site: site.site, provider }, stack.call())
})

async function send(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${suite}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok)
    throw new Error(`${method} ${path} returned ${response.status}: ${(await response.text()).slice(0, 500)}`)
  return response.json()
}

async function createPlan(
  { planName, variant }: Omit<(typeof plans)[number], 'changes'>,
  alias: string,
  callback: string,
) {
  const query = new URLSearchParams({ planName, variant: JSON.stringify({ ...common, ...variant }) })
  const configuration = { alias, client: { ...client, redirect_uri: callback }, waitTimeoutSeconds: 1 }
  return Plan.parse(await send('POST', `/plan?${query}`, configuration))
}

/** Runs a module, in which our login takes part, and returns its result. */
async function runModule(
  plan: string,
  module: z.infer<typeof Plan>['modules'][number],
  logIn: (hasEnded: () => Promise<boolean>) => Promise<void>,
): Promise<string> {
  const query = new URLSearchParams({ test: module.testModule, plan, variant: JSON.stringify(module.variant) })
  const { id } = Module.parse(await send('POST', `/runner?${query}`))
  const read = async () => Info.parse(await send('GET', `/info/${id}`))
  while ((await read()).status !== 'WAITING') await delay(pollMs)
  // Some modules end in the middle of a login, with discovery or with the key set.
  let failure: unknown
  await logIn(async () => (await read()).status === 'FINISHED').catch((error: unknown) => {
    failure = error
  })
  for (;;) {
    const { status, result } = await read()
    if (status === 'FINISHED' || status === 'INTERRUPTED') return result ?? status
    if (failure !== undefined) throw failure
    await delay(pollMs)
  }
}
