import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { SetupError } from '#local'
import type { Note } from '../local/progress.ts'
import { root } from '../local/settings.ts'
import { customResources } from './schema-sources.ts'
import { type KindSchema, schemasOfCustomResource, schemasOfKubernetes } from './strict-schema.ts'

const cache = join(root, '.tools/schemas')

/** The file name of a schema as kubeconform expects it. */
export const schemaFile = '{{ .ResourceKind }}-{{ .Group }}-{{ .ResourceAPIVersion }}.json'

/**
 * The folder with a schema for each kind of a Kubernetes release, made of the release's own description, which is fetched as a Go
 * module, or made earlier.
 *
 * @throws SetupError when the module cannot be fetched
 */
export async function findKubernetesSchemas(release: string, note: Note): Promise<string> {
  return made(`kubernetes-${release}`, async (folder) => {
    note(`the API of Kubernetes ${release} is fetched`)
    const module = await fetchModule(`k8s.io/kubernetes@${release}`)
    const swagger: unknown = JSON.parse(readFileSync(join(module, 'api/openapi-spec/swagger.json'), 'utf8'))
    const { definitions, kinds } = schemasOfKubernetes(swagger)
    writeFileSync(join(folder, '_definitions.json'), JSON.stringify(definitions))
    writeKinds(folder, kinds)
  })
}

/** Files of YAML that define the custom resources. @throws SetupError when a module cannot be fetched */
export async function findCustomResourceFiles(note: Note): Promise<string[]> {
  const found: string[] = []
  for (const { module, files } of customResources) {
    note(`${module} is fetched`)
    const paths = globSync(join(await fetchModule(module), files))
    if (paths.length === 0) throw new SetupError(`${module} has no files ${files}.`)
    found.push(...paths)
  }
  return found
}

/** The folder with the schemas of custom resources; likewise. */
export async function findCustomResourceSchemas(note: Note): Promise<string> {
  const sources = createHash('sha256').update(JSON.stringify(customResources)).digest('hex').slice(0, 12)
  return made(`custom-${sources}`, async (folder) => {
    for (const path of await findCustomResourceFiles(note)) {
      const documents = parseAllDocuments(readFileSync(path, 'utf8')).map((document): unknown => document.toJSON())
      const definitions = documents.filter((document) => Definition.safeParse(document).success)
      writeKinds(folder, definitions.flatMap(schemasOfCustomResource))
    }
  })
}

const Definition = z.object({ kind: z.literal('CustomResourceDefinition') })

async function made(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cache, name)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  try {
    await make(unfinished)
    renameSync(unfinished, folder)
    return folder
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function writeKinds(folder: string, kinds: readonly KindSchema[]): void {
  for (const { group, version, kind, schema } of kinds) {
    // As kubeconform fills in `schema_file`.
    const file = `${kind}-${group || version}-${version}.json`.toLowerCase()
    writeFileSync(join(folder, file), JSON.stringify(schema))
  }
}

const Downloaded = z.object({ Dir: z.string() })

async function fetchModule(module: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('go', ['mod', 'download', '-json', module], {
      cwd: tmpdir(), // outside of any module
      env: { ...process.env, GOFLAGS: '' },
      maxBuffer: 16 * 1024 * 1024,
    })
    return Downloaded.parse(JSON.parse(stdout)).Dir
  } catch (error) {
    const reason = error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : ''
    throw new SetupError(`The Go module ${module} could not be fetched; schemas are made of it. ${reason}`)
  }
}
