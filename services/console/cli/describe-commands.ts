import { type AdminProcedure, type AdminProcedureName, adminApi, exportFile } from '#admin-api'
import { audiences, commands } from './commands.ts'
import { fetchExportCommand } from './fetch-export.ts'
import { type CommandField, listFields } from './fields.ts'
import { needsRevision } from './request.ts'

/** Description of a command for help and completion, as plain data: creating it from the contract would slow down every start. */
export interface CommandDescription {
  /** Group and verb. */
  readonly words: string
  /** The procedure of the Admin API; absent for `exports fetch`. */
  readonly procedure?: AdminProcedureName
  readonly summary: string
  /** The required role, and possible errors. */
  readonly notes: string
  readonly fields: readonly CommandField[]
  /** Prompts for confirmation in a terminal. */
  readonly needs_confirmation?: true
  readonly has_revision?: true
  /** Its response has a secret that is returned only once. */
  readonly returns_secret?: true
}

/** Response fields with secrets that are returned only once. */
export const secretFields = ['api_key', 'client_secret', 'secret', 'token', 'link']

/** Describes every command from the contract, for `commands.json`. */
export function describeCommands(): CommandDescription[] {
  // The literal has the keys that its type names.
  const all = Object.entries(commands) as [AdminProcedureName, string][]
  const described = all.map(([name, words]): CommandDescription => {
    const procedure: AdminProcedure = adminApi[name]
    return {
      words,
      procedure: name,
      summary: procedure.summary,
      notes: createNotes(name, procedure),
      fields: listFields(procedure),
      ...(procedure.sensitive === true ? { needs_confirmation: true } : {}),
      ...(needsRevision(procedure) ? { has_revision: true } : {}),
      ...(returnsSecret(procedure) ? { returns_secret: true } : {}),
    }
  })
  const file = {
    words: fetchExportCommand,
    summary: exportFile.summary,
    notes: createNotes('fetchExport', exportFile),
    fields: listFields(exportFile),
  }
  return [...described, file]
}

function createNotes(name: string, { role, faults = {} }: Pick<AdminProcedure, 'role' | 'faults'>): string {
  const errors = Object.values(faults).map((sentence) => `Error: ${sentence}`)
  return ['', `Required role: ${audiences[role]}. Admin API: ${name}.`, ...errors].join('\n')
}

function returnsSecret({ output }: AdminProcedure): boolean {
  return 'shape' in output && secretFields.some((name) => name in Object(output.shape))
}
