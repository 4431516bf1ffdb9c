import { parseArgs } from 'node:util'
import { parseAllDocuments, stringify } from 'yaml'
import { z } from 'zod'
import { LocalFailure, search } from '#local'
import { listenForInterruption } from '../local/interruption.ts'
import { stepsUntil } from '../local/progress.ts'
import { findOrBuild } from '../tools/find-or-build.ts'
import { chart, installations, render } from './installations.ts'
import { approve } from './program.ts'

const usage = `Usage: KUBECONFIG=… npm run check:cluster [-- --registry <registry> [--tag <tag>]]

Has a cluster's API server judge every installation of ci/ (server-side dry run) in a namespace under Pod Security restricted, which is
made and removed. With a registry that holds the image, it installs dev-deps and the product there, tests, upgrades and rolls back.`

const namespace = `social-login-check-${process.pid}`
const release = ['social-login', '--namespace', namespace]
const kubectl_program = {
  files: ['kubectl'],
  folders: [],
  variable: 'KUBECTL',
  version_arguments: ['version', '--client'],
  version: /Client Version:\D*(\d+(?:\.\d+)*)/,
  at_least: [1, 28],
}
const Kind = z.object({ apiVersion: z.string(), kind: z.string() })

const interruption = listenForInterruption()
const step = stepsUntil(interruption)
try {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { registry: text, tag: text } })
  if (!process.env.KUBECONFIG)
    throw new LocalFailure(`KUBECONFIG is not set: no cluster is touched by chance.\n\n${usage}`)
  const [kubectl] = await search(kubectl_program, process.env)
  if (kubectl === undefined) throw new LocalFailure('kubectl 1.28 or newer was not found on the PATH.')
  const helm = await step('helm', (note) => findOrBuild('helm', { note }))
  await inNamespace(kubectl.path, async () => {
    await dryRun(helm, kubectl.path)
    if (values.registry !== undefined) await install(helm, values.registry, values.tag)
    else console.log('SKIPPED  the installation: no --registry was given')
  })
} catch (error) {
  process.exitCode = 1
  if (!interruption.aborted) console.error('\n%s\n', error instanceof LocalFailure ? error.message : error)
}
process.exit()

async function inNamespace(kubectl: string, work: () => Promise<void>): Promise<void> {
  const manifest = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  }
  await step('namespace', () => approve(kubectl, ['create', '-f', '-'], stringify(manifest)).then(() => {}))
  try {
    await work()
  } finally {
    await approve(kubectl, ['delete', 'namespace', namespace, '--wait=false'])
  }
}

/** Kinds the cluster has no definition of are left out, and said. */
async function dryRun(helm: string, kubectl: string): Promise<void> {
  const known = new Set((await approve(kubectl, ['api-resources', '--no-headers'])).split('\n').map(kindOf))
  const left_out = new Set<string>()
  await step('dry run', async (note) => {
    for (const installation of installations) {
      note(installation)
      const objects = parseAllDocuments(await render(helm, installation, { namespace })).filter((document) => {
        const object = Kind.safeParse(document.toJSON())
        if (!object.success) return false
        const kind = `${object.data.apiVersion} ${object.data.kind}`
        if (!known.has(kind)) left_out.add(kind)
        return known.has(kind)
      })
      await approve(
        kubectl,
        ['apply', '--server-side', '--dry-run=server', '-f', '-'],
        objects.map(String).join('---\n'),
      )
    }
  })
  for (const kind of left_out) console.log(`SKIPPED  ${kind}: the cluster does not know it`)
}

/** Of a row of `api-resources`: names, short names, apiVersion, namespaced, kind. */
function kindOf(row: string): string {
  const words = row.trim().split(/\s+/)
  return `${words.at(-3)} ${words.at(-1)}`
}

async function install(helm: string, registry: string, tag: string | undefined): Promise<void> {
  const wait = ['--wait', '--timeout', '10m']
  const image = ['--set', `image.registry=${registry}`, ...(tag === undefined ? [] : ['--set', `image.tag=${tag}`])]
  const values = [...image, '--values', 'charts/dev-deps/product-values.yaml']
  const run = (title: string, args: readonly string[]) => step(title, () => approve(helm, args).then(() => {}))
  const dependencies = ['dev-deps', 'charts/dev-deps', '--namespace', namespace, '--set', 'acknowledge=true']
  await run('dev-deps', ['install', ...dependencies, ...wait])
  await run('install', ['install', ...release, chart, ...values, ...wait])
  await run('test', ['test', ...release])
  await run('upgrade', ['upgrade', ...release, chart, ...values, '--set', 'secrets.rolloutToken=2', ...wait])
  await run('rollback', ['rollback', ...release, ...wait])
  await run('test again', ['test', ...release])
}
