import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type AdminProcedure, adminApi, getFieldHelp } from '#admin-api'
import { withGenerated } from '#testing'
import { type CommandField, listFields } from '../../services/console/cli/fields.ts'

const kinds: Readonly<Record<CommandField['kind'], string>> = {
  text: 'a text',
  number: 'a number',
  flag: 'true or false',
  list: 'a list',
  map: 'texts by name',
  lists: 'lists by name',
  maps: 'texts by two names',
  object: 'an object',
}

/** The fields of a form, each with a heading to which the console links. */
function describeForm(form: string, name: string, procedure: AdminProcedure): string {
  const inPath = new Set([...procedure.path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field))
  const fields = listFields(procedure).filter((field) => !inPath.has(field.name))
  const sections = fields.map((field) => {
    const values = field.choices.length > 0 ? `One of \`${field.choices.join('`, `')}\`.` : ''
    const isDefault = field.default !== undefined && field.default !== null && field.kind !== 'object'
    const initial = isDefault ? `Default: \`${JSON.stringify(field.default)}\`.` : ''
    const help = getFieldHelp(procedure, field.name) ?? ''
    const sentence = `${help.charAt(0).toUpperCase()}${help.slice(1)}.`
    const kind = `${kinds[field.kind]}, ${field.required ? 'required' : 'optional'}.`
    return `### ${form}: ${field.name}\n${[sentence, `It is ${kind}`, values, initial].filter(Boolean).join(' ')}`
  })
  return [`The fields of \`${name}\` in the [Admin API](admin-api.md).`, ...sections].join('\n\n')
}

test('docs/use/fields.md describes every field of the forms of the console', async () => {
  const page = readFileSync('docs/use/fields.md', 'utf8')
  const parts = Object.entries<AdminProcedure>(adminApi).flatMap(([name, procedure]) => {
    const { form } = procedure
    return form === undefined ? [] : [[form, describeForm(form, name, procedure)] as const]
  })
  const missing = parts.filter(([form]) => !page.includes(`<!-- generated: ${form} -->`)).map(([form]) => form)
  expect(missing, 'Forms that need a heading and a generated part in docs/use/fields.md').toEqual([])
  await expect(withGenerated(page, Object.fromEntries(parts))).toMatchFileSnapshot('../../docs/use/fields.md')
})
