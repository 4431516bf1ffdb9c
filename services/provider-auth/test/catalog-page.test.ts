import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type CatalogEntry, loadCatalog } from '#catalog'
import { definitionForms, listSuppliedItems } from '#contracts'
import { table, withGenerated } from '#testing'

const page = readFileSync('docs/use/provider-catalog.md', 'utf8')
const catalog = loadCatalog()

test('docs/use/provider-catalog.md contains what the entries say', async () => {
  const parts = { overview: overview(), details: catalog.map(describeEntry).join('\n\n') }
  await expect(withGenerated(page, parts)).toMatchFileSnapshot('../../../docs/use/provider-catalog.md')
})

test('docs/use/configured-providers.md names every setting of a definition', () => {
  const text = readFileSync('docs/use/configured-providers.md', 'utf8')
  const names = Object.values(definitionForms).flatMap(({ fields, endpoints, scopes }) =>
    [fields, scopes].flatMap((named) => Object.keys(named)).concat(endpoints),
  )
  expect(names.filter((name) => !text.includes(`\`${name}`))).toEqual([])
})

function overview(): string {
  const rows = catalog.map(({ name, definition: { display_name, protocol } }) => {
    const items = listSuppliedItems(protocol.claims).map((item) => `\`${item}\``)
    const kind = protocol.type === 'oidc' ? 'OpenID Connect' : 'OAuth 2.0'
    return [`\`${name}\``, display_name.en, kind, items.join(', ') || 'the user ID only']
  })
  return table(['Entry', 'Provider', 'Protocol', 'Supplies'], rows)
}

function describeEntry({ definition, documentation, console, quirks }: CatalogEntry): string {
  const links = documentation.map((address) => `<${address}>`).join(', ')
  const lines = [...quirks, `Register an application: <${console}>`, `Documentation: ${links}`]
  return [`### ${definition.display_name.en}`, ...lines.map((line) => `- ${line}`)].join('\n')
}
