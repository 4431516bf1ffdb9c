import { type AdminProcedure, type AdminProcedureName, adminApi, exportFile } from '#admin-api'
import { audiences, commands } from './commands.ts'
import { fetchExportCommand } from './fetch-export.ts'
import { type Field, fieldsOf } from './fields.ts'
import { needsRevision } from './request.ts'

/** What help and completion need of a command, as plain data: building it from the contract would slow down every start. */
export interface CommandDescription {
  /** Group and verb. */
  readonly words: string
  /** The procedure of the Admin API; absent for `exports fetch`. */
  readonly procedure?: AdminProcedureName
  readonly summary: string
  /** The required role, and possible refusals. */
  readonly notes: string
  readonly fields: readonly Field[]
  /** Asks for confirmation in a terminal. */
  readonly needs_confirmation?: true
  readonly has_revision?: true
  /** Its response has a secret that is returned only once. */
  readonly returns_secret?: true
}

/** Fields of responses that are returned only once. */
export const secretFields = ['api_key', 'client_secret', 'token', 'link']

/** Every command, from the contract: what `commands.json` holds. */
export function describeCommands(): CommandDescription[] {
  // A record's keys are its names.
  const all = Object.entries(commands) as [AdminProcedureName, string][]
  const described = all.map(([name, words]): CommandDescription => {
    const procedure: AdminProcedure = adminApi[name]
    return {
      ...{ words, procedure: name, summary: procedure.summary },
      notes: notesOf(name, procedure),
      fields: fieldsOf(name, procedure),
      ...(procedure.sensitive === true ? { needs_confirmation: true } : {}),
      ...(needsRevision(procedure) ? { has_revision: true } : {}),
      ...(returnsSecret(procedure) ? { returns_secret: true } : {}),
    }
  })
  const file = {
    ...{ words: fetchExportCommand, summary: exportFile.summary },
    ...{ notes: notesOf('fetchExport', exportFile), fields: fieldsOf('fetchExport', exportFile) },
  }
  return [...described, file]
}

function notesOf(name: string, { role, faults = {} }: Pick<AdminProcedure, 'role' | 'faults'>): string {
  const refused = Object.values(faults).map((sentence) => `Refused: ${sentence}`)
  return ['', `For: ${audiences[role]}. Admin API: ${name}.`, ...refused].join('\n')
}

function returnsSecret({ output }: AdminProcedure): boolean {
  return 'shape' in output && secretFields.some((name) => name in Object(output.shape))
}
