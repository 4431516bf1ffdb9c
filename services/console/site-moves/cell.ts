import { z } from 'zod'
import type { CopyingService, siteMoveProcedures } from '#admin-api'
import { type Call, newCall } from '#bus'
import { Fault, type FaultName, identityContract, providerAuthContract, siteCopyProcedures } from '#contracts'
import type { Deps } from '../deps.ts'

const { createArrivingSite, changeSiteServing } = identityContract.procedures
const { announceHosts, retireHosts } = providerAuthContract.procedures

/** What a move needs of each cell. The last four are procedures of identity and provider-auth. */
const stepProcedures = {
  ...siteCopyProcedures,
  createArrivingSite,
  changeSiteServing,
  announceHosts,
  retireHosts,
} as const
export type StepName = keyof typeof stepProcedures
type StepInput<K extends StepName> = z.input<(typeof stepProcedures)[K]['input']>
type StepOutput<K extends StepName> = z.output<(typeof stepProcedures)[K]['output']>

/** The services of one cell. */
export interface SiteCell {
  /** @throws Fault of the procedure, or `unavailable`; of another cell also `TokenRejectedError` */
  readonly run: <K extends StepName>(
    service: CopyingService,
    procedure: K,
    input: StepInput<K>,
  ) => Promise<StepOutput<K>>
}

/** How long a step may take. A freeze waits for the writers of each table. Our choice. */
const stepMs = 30_000

export function isStepName(name: string): name is StepName {
  return Object.hasOwn(stepProcedures, name)
}

type CopyClient = Deps['friendship']
type Step = (input: never, call: Call) => Promise<unknown>

/** Events has neither jobs nor pending events. */
type QueueStep = 'readSiteQueue' | 'storeSiteQueue'

/** The steps that a service of this cell can make, by name. */
function listSteps(
  service: CopyingService,
  deps: Pick<Deps, CopyingService>,
): Readonly<Partial<Record<StepName, Step>>> {
  const { identity, provider_auth } = deps
  const steps = (clients: Pick<CopyClient, Exclude<Extract<StepName, keyof CopyClient>, QueueStep>>) => ({
    canFreezeSites: clients.canFreezeSites,
    freezeSite: clients.freezeSite,
    thawSite: clients.thawSite,
    beginSiteCopy: clients.beginSiteCopy,
    listCopyRanges: clients.listCopyRanges,
    readSiteRows: clients.readSiteRows,
    storeSiteRows: clients.storeSiteRows,
    deleteSiteQueues: clients.deleteSiteQueues,
  })
  if (service === 'events') return steps(deps.events)
  const queueSteps = (clients: Pick<CopyClient, QueueStep>) => ({
    readSiteQueue: clients.readSiteQueue,
    storeSiteQueue: clients.storeSiteQueue,
  })
  const shared = { ...steps(deps[service]), ...queueSteps(deps[service]) }
  switch (service) {
    case 'identity':
      return {
        ...shared,
        createArrivingSite: identity.createArrivingSite,
        changeSiteServing: identity.changeSiteServing,
      }
    case 'provider_auth':
      return { ...shared, announceHosts: provider_auth.announceHosts, retireHosts: provider_auth.retireHosts }
    default:
      return shared
  }
}

/** The cell of this console. */
export function createLocalCell(deps: Pick<Deps, CopyingService>): SiteCell {
  return {
    async run(service, procedure, input) {
      const step = listSteps(service, deps)[procedure]
      if (step === undefined) throw new Error(`The service ${service} has no procedure ${procedure}.`)
      // The schema of the step has parsed it.
      const parsed = stepProcedures[procedure].input.parse(input) as never
      return parseOutput(procedure, await step(parsed, newCall({ withinMs: stepMs })))
    },
  }
}

const faultsByName: Readonly<Record<string, FaultName>> = {
  not_found: 'entity_not_found',
  conflict: 'already_exists',
  revision_mismatch: 'changed_meanwhile',
  unavailable: 'unavailable',
}

/** The other cell does not accept the token: it has expired, was revoked, or does not belong to an operator. */
export class TokenRejectedError extends Error {
  override readonly name = 'TokenRejectedError'
}

const Failure = z.object({ error: z.object({ name: z.string(), message: z.string() }) })

/** The services of another cell, and its audit trail. */
export interface RemoteCell extends SiteCell {
  readonly recordReceived: (input: z.output<typeof siteMoveProcedures.recordReceivedSite.input>) => Promise<void>
}

/** Another cell, by the Admin API of its console. */
export function createRemoteCell({ url, token }: { readonly url: string; readonly token: string }): RemoteCell {
  /** @throws Fault of the procedure, or `unavailable`; `TokenRejectedError` */
  const send = async (path: string, name: string, input: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/admin/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
      redirect: 'error',
      signal: AbortSignal.timeout(stepMs),
    }).catch((cause: unknown) => {
      throw new Fault('unavailable', { cause })
    })
    const body: unknown = await response.json().catch(() => null)
    if (response.ok) return body
    if (response.status === 401 || response.status === 403)
      throw new TokenRejectedError(`The other cell answered the step ${name} with ${response.status}.`)
    const failure = Failure.safeParse(body)
    const fault = failure.success ? faultsByName[failure.data.error.name] : undefined
    if (fault !== undefined) throw new Fault(fault)
    const reason = failure.success ? failure.data.error.message : `status ${response.status}`
    throw new Error(`The other cell rejected the step ${name}: ${reason}`)
  }
  return {
    async run(service, procedure, input) {
      const body = await send('/site-copy-steps', procedure, { service, procedure, parameters: input })
      return parseOutput(procedure, z.object({ output: z.unknown() }).parse(body).output)
    },
    async recordReceived({ account, site_id, ...event }) {
      await send(`/accounts/${account}/sites/${site_id}/received`, 'recordReceivedSite', event)
    },
  }
}

/** Each procedure's output has the type of its schema. */
function parseOutput<K extends StepName>(procedure: K, output: unknown): StepOutput<K> {
  return stepProcedures[procedure].output.parse(output) as StepOutput<K>
}
