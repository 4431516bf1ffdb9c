import { type Command, Option } from 'commander'
import type { Field } from './fields.ts'

/** Adds what asks for the fields, and `--input`, where they can stand together. */
export function addFields(command: Command, fields: readonly Field[]): void {
  for (const field of fields) for (const option of optionsOf(field)) command.addOption(option)
  if (fields.length > 0)
    command.option('--input <file>', 'the fields as JSON or YAML, "-": standard input; options overrule it')
}

const hints = {
  text: '<text>',
  number: '<number>',
  list: '<text...>',
  map: '<key=value...>',
  lists: '<key=a,b...>',
  maps: '<key.key=value...>',
} as const

/** More choices would flood the help; the contract still checks them. */
const mostChoices = 12

/** The options of a field; a person may say that there is to be none. */
export function optionsOf(field: Field): Option[] {
  const { option, kind, choices, required, can_be_none: canBeNone, secret, help } = field
  const notes = joined([help, required ? 'required' : '', described(field)])
  if (secret) return [new Option(`--${option}-file <file>`, joined([notes, 'this file holds it, "-": standard input']))]
  if (kind === 'flag') return [new Option(`--${option}`, notes), new Option(`--no-${option}`, 'not so')]
  const asked = new Option(`--${option} ${hints[kind]}`, notes)
  if (choices.length > 0 && choices.length < mostChoices) asked.choices(choices)
  return canBeNone ? [asked, new Option(`--no-${option}`, 'none')] : [asked]
}

function joined(notes: readonly string[]): string {
  return notes.filter(Boolean).join('; ')
}

function described({ default: value, kind }: Field): string {
  const standard =
    value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
  const note = kind === 'map' ? 'key=@file reads the value from a file, which secrets must' : ''
  return joined([note, standard ? '' : `default: ${Array.isArray(value) ? value.join(' ') : String(value)}`])
}
