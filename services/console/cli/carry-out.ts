import { type AdminProcedure, type AdminProcedureName, adminApi } from '#admin-api'
import { apiOf } from './api.ts'
import { confirm } from './confirm.ts'
import { connectionOf } from './connection.ts'
import { secretFields } from './describe.ts'
import { Failure } from './failure.ts'
import { fieldsOf } from './fields.ts'
import { inputOf } from './input.ts'
import type { Io } from './io.ts'
import { printed } from './print.ts'
import { openSecretsFile } from './secrets-out.ts'

/** Runs the command of a procedure. @param options as parsed by commander */
export async function carryOut(
  name: AdminProcedureName,
  options: Readonly<Record<string, unknown>>,
  io: Io,
): Promise<void> {
  const procedure: AdminProcedure = adminApi[name]
  const input = await inputOf(procedure, fieldsOf(name, procedure), options, io)
  const api = apiOf(await connectionOf(options, io))
  if (procedure.sensitive === true && io.interactive && !options.yes)
    await confirm(`${procedure.summary}. Continue?`, io)
  const file = typeof options.secretsOut === 'string' ? options.secretsOut : undefined
  await using secrets = file === undefined ? undefined : await openSecretsFile(file)
  const answer = await api.send(name, input, revisionOf(options.revision))
  await secrets?.append({ ...input, ...asRow(answer) })
  await printed(file === undefined ? answer : withoutSecrets(answer, file), options, io)
}

function withoutSecrets(answer: unknown, file: string): unknown {
  const entries = Object.entries(asRow(answer))
  return Object.fromEntries(
    entries.map(([name, value]) => [name, secretFields.includes(name) && value !== null ? `(in ${file})` : value]),
  )
}

function asRow(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function revisionOf(written: unknown): number | undefined {
  if (written === undefined) return undefined
  if (/^\d{1,15}$/.test(String(written))) return Number(written)
  throw new Failure('usage', `--revision: "${String(written)}" is not a whole number.`)
}
