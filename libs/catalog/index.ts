import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { ProviderDefinition } from '#contracts'

const Entry = z.strictObject({
  /** Where customers register their application. */
  console: z.url(),
  /** The provider's documentation, from which the definition is. */
  documentation: z.array(z.url()).min(1),
  /** What integrators should know, one sentence each or a few. */
  quirks: z.array(z.string().min(1)),
  definition: ProviderDefinition,
  /** What the provider documents as the response about a user, and what becomes of it. */
  example: z.strictObject({
    user: z.record(z.string(), z.unknown()),
    resources: z.record(z.string(), z.unknown()).optional(),
    profile: z.record(z.string(), z.unknown()),
    email: z.array(z.unknown()),
    phone: z.array(z.unknown()).default([]),
    follow: z.unknown().default(null),
  }),
})

/** A ready-made description of a login provider. */
export interface CatalogEntry extends z.infer<typeof Entry> {
  readonly name: string
  /** The hosts of its addresses, which no other entry has. */
  readonly hosts: readonly string[]
}

const directory = join(import.meta.dirname, 'entries')

/**
 * The ready-made descriptions, by name: one file each.
 *
 * @throws Error that names the file with an error
 */
export function loadCatalog(): readonly CatalogEntry[] {
  const files = readdirSync(directory).filter((file) => file.endsWith('.yaml'))
  return files.sort().map((file) => {
    const name = file.replace('.yaml', '')
    const { data, error } = Entry.safeParse(parse(readFileSync(join(directory, file), 'utf8')))
    if (data === undefined) throw new Error(`The catalog's ${file} is invalid: ${z.prettifyError(error)}`)
    const { definition } = data
    return { ...data, name, hosts: listHosts(definition), definition: { ...definition, catalog: name } }
  })
}

function listHosts({ protocol }: ProviderDefinition): readonly string[] {
  const addresses =
    protocol.type === 'oidc'
      ? [protocol.issuer, protocol.discovery, ...Object.values(protocol.endpoints)]
      : [...Object.values(protocol.endpoints), ...Object.values(protocol.resources)]
  return [...new Set(addresses.flatMap((address) => (address === undefined ? [] : [new URL(address).host])))]
}
