import { writeFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import { type Api, apiOf } from '../api.ts'
import { confirm } from '../confirm.ts'
import { connectionOf } from '../connection.ts'
import { Desired } from '../domain/desired.ts'
import { planOf } from '../domain/plan.ts'
import { Impossible, type Plan, type PlanOptions, type Step } from '../domain/step.ts'
import { codeOf } from '../error-code.ts'
import { Ended, Failure } from '../failure.ts'
import { formatOf } from '../format.ts'
import type { Io } from '../io.ts'
import { openSecretsFile } from '../secrets-out.ts'
import { readActual } from './actual.ts'
import { applySteps } from './apply.ts'
import { exported } from './export.ts'
import { desiredIn } from './files.ts'
import { type Inputs, inputsOf } from './secrets.ts'
import { shownPlan } from './show.ts'

/** As parsed by commander. */
type Options = Readonly<Record<string, unknown>>

export function printSchema(io: Io): void {
  io.print(`${JSON.stringify(z.toJSONSchema(Desired, { io: 'input', unrepresentable: 'any' }), null, 2)}\n`)
}

export async function showPlan(options: Options, io: Io): Promise<void> {
  const { plan } = await planned(options, io)
  await inputsOf(plan.steps, io)
  io.print(wantsJson(options) ? asJson(plan) : shownPlan(plan))
  if (options.exitCode && plan.steps.length > 0) throw new Ended('differs')
}

export async function apply(options: Options, io: Io): Promise<void> {
  const { plan, api } = await planned(options, io)
  const inputs = withConfirmed(await inputsOf(plan.steps, io), plan.steps, options.confirm)
  const issuing = plan.steps.some(({ tells_secret }) => tells_secret)
  const secretsOut = typeof options.secretsOut === 'string' ? options.secretsOut : undefined
  if (issuing && secretsOut === undefined && !options.printSecrets)
    throw new Failure(
      'usage',
      `This plan issues secrets that are shown only once. Choose where they go with --secrets-out <file> or --print-secrets. Nothing was done.\n${shownPlan(plan)}`,
    )
  io.complain(wantsJson(options) ? '' : shownPlan(plan))
  if (plan.steps.length > 0 && !options.yes) await confirmed(io)
  await using secrets = issuing && secretsOut !== undefined ? await openSecretsFile(secretsOut) : undefined
  await applySteps(plan.steps, inputs, api, io, async (step, answer) => {
    const line = secretLine(step, answer)
    if (options.printSecrets) io.print(`${JSON.stringify(line)}\n`)
    await secrets?.append(line)
  })
  if (wantsJson(options) && !options.printSecrets) io.print(asJson(plan))
}

export async function exportFile(options: Options, io: Io): Promise<void> {
  const accounts = z.array(z.string()).optional().parse(options.account)
  const sites = z.array(z.string()).optional().parse(options.siteId)
  if (sites && accounts?.length !== 1) throw new Failure('usage', '--site-id needs one --account.')
  const actual = await readActual(
    apiOf(await connectionOf(options, io)),
    accounts && new Map(accounts.map((one) => [one, sites])),
  )
  const missing =
    accounts?.find((account) => !actual.has(account)) ??
    sites?.find((site) => !actual.get(accounts?.[0] ?? '')?.sites.has(site))
  if (missing !== undefined)
    throw new Failure('not_found', `"${missing}" does not exist, or the token has no access to it.`)
  const yaml = exported(actual)
  const text = wantsJson(options) ? `${JSON.stringify(parse(yaml), null, 2)}\n` : yaml
  if (typeof options.to !== 'string') return io.print(text)
  await writeFile(options.to, text, { flag: 'wx' }).catch((error: unknown) => {
    throw new Failure('usage', `--to ${options.to} cannot be written (${codeOf(error)}).`, { cause: error })
  })
}

function wantsJson(options: Options): boolean {
  return formatOf(options) === 'json'
}

async function planned(options: Options, io: Io): Promise<{ plan: Plan; api: Api }> {
  const desired = await desiredIn(z.array(z.string()).parse(options.file), io)
  const api = apiOf(await connectionOf(options, io))
  const wanted = new Map(
    Object.entries(desired.accounts).map(([account, { sites = {} }]) => [account, Object.keys(sites)]),
  )
  const how: PlanOptions = { prune: options.prune === true, update_secrets: options.updateSecrets === true }
  try {
    return { plan: planOf(desired, await readActual(api, wanted), how), api }
  } catch (error) {
    if (error instanceof Impossible) throw new Failure('usage', error.message)
    throw error
  }
}

async function confirmed(io: Io): Promise<void> {
  if (!io.interactive)
    throw new Failure(
      'usage',
      'There is no terminal to ask for confirmation. Add --yes to apply the plan. Nothing was done.',
    )
  await confirm('Apply the plan?', io)
}

const Issued = z.union([
  z.object({ api_key_id: z.string(), api_key: z.string() }),
  z
    .object({ client: z.object({ client_id: z.string() }), client_secret: z.string() })
    .transform(({ client: { client_id }, client_secret }) => ({ client_id, client_secret })),
])

/** A line of the file of secrets. */
function secretLine({ subject }: Step, answer: unknown): Record<string, unknown> {
  return { subject, ...Issued.parse(answer) }
}

function asJson(plan: Plan): string {
  return `${JSON.stringify(plan, null, 2)}\n`
}

/** Adds the value of `--confirm` to the steps that change allowed addresses. */
function withConfirmed(inputs: Inputs, steps: readonly Step[], confirm: unknown): Inputs {
  if (confirm === undefined) return inputs
  const concerned = steps.filter(({ changes }) => changes.some(({ field }) => field === 'allowed_addresses'))
  return new Map([
    ...inputs,
    ...concerned.map((step) => [step, { ...(inputs.get(step) ?? step.input), confirm }] as const),
  ])
}
