import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { parse } from 'yaml'
import { z } from 'zod'
import { type Api, apiOf } from '../api.ts'
import { confirm } from '../confirm.ts'
import { codeOf, connectionOf } from '../connection.ts'
import { Desired } from '../domain/desired.ts'
import { planOf } from '../domain/plan.ts'
import { Impossible, type Plan, type PlanOptions, type Step } from '../domain/step.ts'
import { Ended, Failure } from '../failure.ts'
import type { Io } from '../io.ts'
import { openSecretsFile } from '../secrets-out.ts'
import { readActual } from './actual.ts'
import { applySteps } from './apply.ts'
import { exported } from './export.ts'
import { desiredIn } from './files.ts'
import { inputsOf } from './secrets.ts'
import { shownPlan } from './show.ts'

/** Adds what works on files: `plan`, `apply`, `export`, `schema`. */
export function addDeclarative(program: Command, io: Io): void {
  addPlan(program, io)
  addApply(program, io)
  addExport(program, io)
  program
    .command('schema')
    .description('Print the JSON Schema of the files, for editors.')
    .action(() =>
      io.print(`${JSON.stringify(z.toJSONSchema(Desired, { io: 'input', unrepresentable: 'any' }), null, 2)}\n`),
    )
}

function addPlan(program: Command, io: Io): void {
  const command = withFiles(program.command('plan'))
    .description('Show what apply would do: created +, changed ~, removed -. Nothing is changed.')
    .option('--exit-code', 'end with 10 if there is something to do')
  command.action(async () => {
    const options = command.optsWithGlobals()
    const { plan } = await planned(options, io)
    await inputsOf(plan.steps, io)
    io.print(options.json ? asJson(plan) : shownPlan(plan))
    if (options.exitCode && plan.steps.length > 0) throw new Ended('differs')
  })
}

function addApply(program: Command, io: Io): void {
  const command = withFiles(program.command('apply'))
    .description('Make the console as the files want it, after showing what that takes. A second time changes nothing.')
    .option('--yes', 'do not ask before')
    .option('--secrets-out <file>', 'append issued API keys and client secrets to this file, mode 0600, as JSON lines')
    .option('--print-secrets', 'print them instead, as JSON lines')
  command.action(async () => {
    const options = command.optsWithGlobals()
    const { plan, api } = await planned(options, io)
    const inputs = await inputsOf(plan.steps, io)
    const issuing = plan.steps.some(({ tells_secret }) => tells_secret)
    if (issuing && !options.secretsOut && !options.printSecrets)
      throw new Failure(
        'usage',
        `${shownPlan(plan)}This issues secrets that are told once. Say where they go, with --secrets-out <file> or --print-secrets. Nothing was done.`,
      )
    io.complain(options.json ? '' : shownPlan(plan))
    if (plan.steps.length > 0 && !options.yes) await confirmed(io)
    await using secrets = issuing && options.secretsOut ? await openSecretsFile(options.secretsOut) : undefined
    await applySteps(plan.steps, inputs, api, io, async (step, answer) => {
      const line = secretLine(step, answer)
      if (options.printSecrets) io.print(`${JSON.stringify(line)}\n`)
      await secrets?.append(line)
    })
    if (options.json && !options.printSecrets) io.print(asJson(plan))
  })
}

function addExport(program: Command, io: Io): void {
  const command = program
    .command('export')
    .description(
      'Print what there is as a file that apply reads, without secrets; with --json as JSON, which apply reads too.',
    )
    .option('--account <account...>', 'these accounts alone')
    .option('--site-id <site_id...>', 'these sites alone; with one --account')
    .option('-o, --output <file>', 'write the file instead; there must be none')
  command.action(async () => {
    const options = command.optsWithGlobals()
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
    if (missing !== undefined) throw new Failure('not_found', `There is no ${missing} that you may see.`)
    const yaml = exported(actual)
    const text = options.json ? `${JSON.stringify(parse(yaml), null, 2)}\n` : yaml
    if (!options.output) return io.print(text)
    await writeFile(options.output, text, { flag: 'wx' }).catch((error: unknown) => {
      throw new Failure('usage', `--output ${options.output} cannot be written (${codeOf(error)}).`, { cause: error })
    })
  })
}

function withFiles(command: Command): Command {
  return command
    .requiredOption('-f, --file <file...>', 'YAML; several are taken together; "-": standard input')
    .option('--prune', 'remove clients and keys that the files do not have, where they have that section')
    .option('--update-secrets', 'send secrets that are kept already: whether they changed cannot be told')
}

async function planned(options: Record<string, unknown>, io: Io): Promise<{ plan: Plan; api: Api }> {
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
  if (!io.interactive) throw new Failure('usage', 'Nobody is there to ask. Say --yes to do it. Nothing was done.')
  await confirm('Do it?', io)
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
