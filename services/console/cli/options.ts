import { type Command, Option } from 'commander'
import type { CommandField } from './fields.ts'

/** Adds the options of the fields, and `--input`, which reads fields from a file. */
export function addFieldOptions(command: Command, fields: readonly CommandField[]): void {
  for (const field of fields) for (const option of createOptions(field)) command.addOption(option)
  if (fields.length > 0)
    command.option('--input <file>', 'file with the fields as JSON or YAML, "-": standard input; options override it')
}

const hints = {
  text: '<text>',
  number: '<number>',
  list: '<text...>',
  map: '<key=value...>',
  lists: '<key=a,b...>',
  maps: '<key.key=value...>',
  object: '<file>',
} as const

/** With more choices, the help does not list them; the contract checks the value in any case. */
const maxChoices = 12

/** Creates the options of a field, including `--no-…` if the field can be empty. */
export function createOptions(field: CommandField): Option[] {
  const { option, kind, choices, required, can_be_none: canBeNone, secret, help } = field
  const notes = joinNotes([help, required ? 'required' : '', describeDefault(field)])
  if (secret)
    return [new Option(`--${option}-file <file>`, joinNotes([notes, 'read from this file, "-": standard input']))]
  if (kind === 'flag') return [new Option(`--${option}`, notes), new Option(`--no-${option}`, 'set to false')]
  const valueOption = new Option(`--${option} ${hints[kind]}`, notes)
  if (choices.length > 0 && choices.length < maxChoices) valueOption.choices(choices)
  return canBeNone ? [valueOption, new Option(`--no-${option}`, 'none')] : [valueOption]
}

function joinNotes(notes: readonly string[]): string {
  return notes.filter(Boolean).join('; ')
}

function describeDefault({ default: value, kind }: CommandField): string {
  const standard =
    value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  const note = kind === 'map' ? 'key=@file reads the value from a file; required for secrets' : ''
  return joinNotes([note, standard ? '' : `default: ${Array.isArray(value) ? value.join(' ') : String(value)}`])
}
