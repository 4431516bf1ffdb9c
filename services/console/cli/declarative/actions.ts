import { writeFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import { type Api, createApi } from '../api.ts'
import { CliError, CliExit } from '../cli-error.ts'
import { confirmInTerminal } from '../confirm.ts'
import { resolveConnection } from '../connection.ts'
import { Desired } from '../domain/desired.ts'
import { createPlan } from '../domain/plan.ts'
import { type Plan, PlanError, type PlanOptions, type PlanStep } from '../domain/step.ts'
import { getErrorCode } from '../error-code.ts'
import { parseFormat } from '../format.ts'
import type { Io } from '../io.ts'
import { openSecretsFile } from '../secrets-file.ts'
import { applySteps } from './apply.ts'
import { formatPlan } from './format-plan.ts'
import { formatState } from './format-state.ts'
import { readActual } from './read-actual.ts'
import { readDesired } from './read-desired.ts'
import { resolveSecrets, type StepInputs } from './resolve-secrets.ts'

/** Options, parsed by commander. */
type Options = Readonly<Record<string, unknown>>

export function printSchema(io: Io): void {
  io.print(`${JSON.stringify(z.toJSONSchema(Desired, { io: 'input', unrepresentable: 'any' }), null, 2)}\n`)
}

export async function showPlan(options: Options, io: Io): Promise<void> {
  const { plan } = await loadPlan(options, io)
  await resolveSecrets(plan.steps, io)
  io.print(isJsonRequested(options) ? toJson(plan) : formatPlan(plan))
  if (options.exitCode && plan.steps.length > 0) throw new CliExit('differs')
}

export async function apply(options: Options, io: Io): Promise<void> {
  const { plan, api } = await loadPlan(options, io)
  const inputs = addConfirmation(await resolveSecrets(plan.steps, io), plan.steps, options.confirm)
  const issuesSecrets = plan.steps.some((step) => step.returns_secret)
  const secretsOut = typeof options.secretsOut === 'string' ? options.secretsOut : undefined
  if (issuesSecrets && secretsOut === undefined && !options.printSecrets)
    throw new CliError(
      'usage',
      `This plan issues secrets that are shown only once. Choose their destination with --secrets-out <file> or --print-secrets. Nothing was changed.\n${formatPlan(plan)}`,
    )
  io.printError(isJsonRequested(options) ? '' : formatPlan(plan))
  if (plan.steps.length > 0 && !options.yes) await confirmApply(io)
  await using secrets = issuesSecrets && secretsOut !== undefined ? await openSecretsFile(secretsOut) : undefined
  await applySteps(plan.steps, inputs, api, io, async (step, answer) => {
    const line = toSecretLine(step, answer)
    if (options.printSecrets) io.print(`${JSON.stringify(line)}\n`)
    await secrets?.append(line)
  })
  if (isJsonRequested(options) && !options.printSecrets) io.print(toJson(plan))
}

export async function exportState(options: Options, io: Io): Promise<void> {
  const accounts = z.array(z.string()).optional().parse(options.account)
  const sites = z.array(z.string()).optional().parse(options.siteId)
  if (sites && accounts?.length !== 1) throw new CliError('usage', '--site-id needs one --account.')
  const actual = await readActual(
    createApi(await resolveConnection(options, io)),
    accounts && new Map(accounts.map((one) => [one, sites])),
    () => true,
  )
  const missing =
    accounts?.find((account) => !actual.has(account)) ??
    sites?.find((site) => !actual.get(accounts?.[0] ?? '')?.sites.has(site))
  if (missing !== undefined)
    throw new CliError('not_found', `"${missing}" does not exist, or the token has no access to it.`)
  const yaml = formatState(actual)
  const text = isJsonRequested(options) ? `${JSON.stringify(parse(yaml), null, 2)}\n` : yaml
  if (typeof options.to !== 'string') return io.print(text)
  await writeFile(options.to, text, { flag: 'wx' }).catch((error: unknown) => {
    throw new CliError('usage', `--to ${options.to} cannot be written (${getErrorCode(error)}).`, { cause: error })
  })
}

function isJsonRequested(options: Options): boolean {
  return parseFormat(options) === 'json'
}

async function loadPlan(options: Options, io: Io): Promise<{ plan: Plan; api: Api }> {
  const desired = await readDesired(z.array(z.string()).parse(options.file), io)
  const api = createApi(await resolveConnection(options, io))
  const selection = new Map(
    Object.entries(desired.accounts).map(([account, { sites = {} }]) => [account, Object.keys(sites)]),
  )
  const planOptions: PlanOptions = { prune: options.prune === true, update_secrets: options.updateSecrets === true }
  const actual = await readActual(
    api,
    selection,
    ({ account, site_id }) => desired.accounts[account]?.sites?.[site_id]?.look !== undefined,
  )
  try {
    return { plan: createPlan(desired, actual, planOptions), api }
  } catch (error) {
    if (error instanceof PlanError) throw new CliError('usage', error.message)
    throw error
  }
}

async function confirmApply(io: Io): Promise<void> {
  if (!io.interactive)
    throw new CliError(
      'usage',
      'There is no terminal to confirm the plan. Add --yes to apply the plan. Nothing was changed.',
    )
  await confirmInTerminal('Apply the plan?', io)
}

const Issued = z.union([
  z
    .object({ webhook: z.object({ endpoint_id: z.string() }), secret: z.string() })
    .transform(({ webhook: { endpoint_id }, secret }) => ({ endpoint_id, secret })),
  z.object({ api_key_id: z.string(), api_key: z.string() }),
  z
    .object({ client: z.object({ client_id: z.string() }), client_secret: z.string() })
    .transform(({ client: { client_id }, client_secret }) => ({ client_id, client_secret })),
])

/** Converts an issued secret to a line of the secrets file. */
function toSecretLine({ subject }: PlanStep, answer: unknown): Record<string, unknown> {
  return { subject, ...Issued.parse(answer) }
}

function toJson(plan: Plan): string {
  return `${JSON.stringify(plan, null, 2)}\n`
}

/** Adds the value of `--confirm` to the steps that change allowed addresses. */
function addConfirmation(inputs: StepInputs, steps: readonly PlanStep[], confirm: unknown): StepInputs {
  if (confirm === undefined) return inputs
  const affected = steps.filter(({ changes }) => changes.some(({ field }) => field === 'allowed_addresses'))
  return new Map([
    ...inputs,
    ...affected.map((step) => [step, { ...(inputs.get(step) ?? step.input), confirm }] as const),
  ])
}
