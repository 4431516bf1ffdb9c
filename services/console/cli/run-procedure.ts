import { type AdminProcedure, type AdminProcedureName, adminApi } from '#admin-api'
import { createApi } from './api.ts'
import { CliError } from './cli-error.ts'
import { confirmInTerminal } from './confirm.ts'
import { resolveConnection } from './connection.ts'
import { secretFields } from './describe-commands.ts'
import { listFields } from './fields.ts'
import { readCommandInput } from './input.ts'
import type { Io } from './io.ts'
import { printResponse } from './print.ts'
import { openSecretsFile } from './secrets-file.ts'

/** Runs the command of a procedure. @param options parsed by commander */
export async function runProcedure(
  name: AdminProcedureName,
  options: Readonly<Record<string, unknown>>,
  io: Io,
): Promise<void> {
  const procedure: AdminProcedure = adminApi[name]
  const input = await readCommandInput(procedure, listFields(procedure), options, io)
  const api = createApi(await resolveConnection(options, io))
  if (procedure.sensitive === true && io.interactive && !options.yes)
    await confirmInTerminal(`${procedure.summary}. Continue?`, io)
  const file = typeof options.secretsOut === 'string' ? options.secretsOut : undefined
  await using secrets = file === undefined ? undefined : await openSecretsFile(file)
  const response = await api.send(name, input, parseRevision(options.revision))
  await secrets?.append({ ...input, ...toRow(response) })
  await printResponse(file === undefined ? response : hideSecrets(response, file), options, io)
}

function hideSecrets(answer: unknown, file: string): unknown {
  const entries = Object.entries(toRow(answer))
  return Object.fromEntries(
    entries.map(([name, value]) => [name, secretFields.includes(name) && value !== null ? `(in ${file})` : value]),
  )
}

function toRow(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function parseRevision(written: unknown): number | undefined {
  if (written === undefined) return undefined
  if (/^\d{1,15}$/.test(String(written))) return Number(written)
  throw new CliError(
    'usage',
    `--revision: "${String(written)}" is not a whole number. Pass the revision that "show" printed.`,
  )
}
