import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type AdminProcedure, adminApi, documentedForms, getFieldHelp } from '#admin-api'
import { withGenerated } from '#testing'
import { type CommandField, listFields } from '../../services/console/cli/fields.ts'

const titles: Readonly<Record<keyof typeof documentedForms, string>> = {
  account: 'Account',
  site: 'Site',
  client: 'Client',
  provider: 'Login provider',
  webhook: 'Webhook',
  host: 'Host',
  look: 'Look',
  account_page: 'Account page',
  terms: 'Terms and consent',
  metadata_search: 'Filtering by metadata',
  user_search: 'Finding users',
  inactivity_rule: 'Inactive users',
  member: 'Member',
  token: 'Token',
  notice_channel: 'Channel for notices',
  audit_stream: 'Audit stream',
  member_sign_in: 'Member sign-in',
  sign_in_domain: 'Domain of e-mail addresses',
  bulk_change: 'Bulk change',
  export: 'Export',
  import: 'Import',
}

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

/** The section of a form: its procedure, then a heading with an anchor for each field. */
function describeForm([form, procedure]: [string, string], api: Readonly<Record<string, AdminProcedure>>): string {
  const described = api[procedure]
  if (described === undefined) throw new Error(`There is no procedure ${procedure}.`)
  const inPath = new Set([...described.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const fields = listFields(procedure, described).filter(({ name }) => !inPath.has(name))
  const sections = fields.map((field) => {
    const values = field.choices.length > 0 ? `One of \`${field.choices.join('`, `')}\`.` : ''
    const isDefault = field.default !== undefined && field.default !== null && field.kind !== 'object'
    const initial = isDefault ? `Default: \`${JSON.stringify(field.default)}\`.` : ''
    const help = getFieldHelp(procedure, field.name) ?? ''
    const sentence = `${help.charAt(0).toUpperCase()}${help.slice(1)}.`
    const kind = `${kinds[field.kind]}, ${field.required ? 'required' : 'optional'}.`
    return `### ${form}: ${field.name}\n${[sentence, `It is ${kind}`, values, initial].filter(Boolean).join(' ')}`
  })
  const title = titles[form as keyof typeof titles]
  return [`## ${title}\nThe fields of \`${procedure}\` in the [Admin API](admin-api.md).`, ...sections].join('\n\n')
}

test('docs/use/fields.md describes every field of the forms of the console', async () => {
  const forms = Object.entries(documentedForms).map((form) => describeForm(form, adminApi))
  const page = withGenerated(readFileSync('docs/use/fields.md', 'utf8'), { fields: forms.join('\n\n') })
  await expect(page).toMatchFileSnapshot('../../docs/use/fields.md')
})
