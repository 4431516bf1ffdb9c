import { parseArgs } from 'node:util'
import { type Document, parseAllDocuments, stringify } from 'yaml'
import { z } from 'zod'
import { SetupError, searchPrograms } from '#local'
import { listenForInterruption } from '../local/interruption.ts'
import { createStep } from '../local/progress.ts'
import { findOrBuild } from '../tools/find-or-build.ts'
import { chart, exampleInstallations, render } from './installations.ts'
import { runCheck } from './run-program.ts'

const usage = `Usage: KUBECONFIG=… npm run check:cluster [-- --registry <registry> [--tag <tag>]]

Has a cluster's API server judge every installation of ci/ (server-side dry run, where a warning fails too) in a namespace under Pod
Security restricted, which is made and removed. With a registry that holds the image, it installs dev-deps and the product there by
Helm 3, tests, upgrades by Helm 4, rolls back, uninstalls and installs again.`

const namespace = `social-login-check-${process.pid}`
const there = ['--namespace', namespace]
const release = ['social-login', ...there]
const kubectlProgram = {
  files: ['kubectl'],
  folders: [],
  variable: 'KUBECTL',
  versionArguments: ['version', '--client'],
  version: /Client Version:\D*(\d+(?:\.\d+)*)/,
  atLeast: [1, 28],
}
const Kind = z.object({ apiVersion: z.string(), kind: z.string() })

const interruption = listenForInterruption()
const step = createStep(interruption)
try {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { registry: text, tag: text } })
  if (!process.env.KUBECONFIG)
    throw new SetupError(`KUBECONFIG is not set: no cluster is touched by chance.\n\n${usage}`)
  const [kubectl] = await searchPrograms(kubectlProgram, process.env)
  if (kubectl === undefined) throw new SetupError('kubectl 1.28 or newer was not found on the PATH.')
  const helm = await step('helm', (note) => findOrBuild('helm', { note }))
  await inNamespace(kubectl.path, async () => {
    await dryRun(helm, kubectl.path)
    if (values.registry === undefined) return console.log('SKIPPED  the installation: no --registry was given')
    const helm3 = await step('helm 3', (note) => findOrBuild('helm3', { note }))
    const image = [
      `image.registry=${values.registry}`,
      ...(values.tag === undefined ? [] : [`image.tag=${values.tag}`]),
    ]
    const set = image.flatMap((value) => ['--set', value])
    await install(kubectl.path, helm, helm3, [...set, '--values', 'charts/dev-deps/product-values.yaml'])
  })
} catch (error) {
  process.exitCode = 1
  if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

async function inNamespace(kubectl: string, work: () => Promise<void>): Promise<void> {
  // Enforcement applies only to pods; for Deployments and Jobs, Kubernetes only warns.
  const labels = Object.fromEntries(
    ['enforce', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
  )
  const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } }
  await step('namespace', () => runCheck(kubectl, ['create', '-f', '-'], stringify(manifest)).then(() => {}))
  try {
    await work()
  } finally {
    await runCheck(kubectl, ['delete', 'namespace', namespace, '--wait=false'])
  }
}

/**
 * Skips and reports kinds that the cluster does not define. Creates the service accounts of pods. Removes priority
 * classes, which each cluster defines itself.
 */
async function dryRun(helm: string, kubectl: string): Promise<void> {
  const known = new Set((await runCheck(kubectl, ['api-resources', '--no-headers'])).split('\n').map(kindOf))
  const leftOut = new Set<string>()
  const apply = (objects: readonly Document[], ...how: readonly string[]) =>
    runCheck(
      kubectl,
      ['apply', '--server-side', '--warnings-as-errors', ...how, '-f', '-'],
      objects.map(String).join('---\n'),
    )
  await step('dry run', async (note) => {
    for (const installation of exampleInstallations) {
      note(installation)
      const objects = parseAllDocuments(
        await render(helm, installation, { namespace, set: 'defaults.priorityClassName=' }),
      ).filter((document) => {
        const object = Kind.safeParse(document.toJSON())
        if (!object.success) return false
        const kind = `${object.data.apiVersion} ${object.data.kind}`
        if (!known.has(kind)) leftOut.add(kind)
        return known.has(kind)
      })
      await apply(objects.filter((document) => document.get('kind') === 'ServiceAccount'))
      await apply(objects, '--dry-run=server', '--output=jsonpath={.nothing}')
    }
  })
  for (const kind of leftOut) console.log(`SKIPPED  ${kind}: the cluster does not know it`)
}

/** Parses a row of `api-resources`: names, short names, apiVersion, namespaced, kind. */
function kindOf(row: string): string {
  const words = row.trim().split(/\s+/)
  return `${words.at(-3)} ${words.at(-1)}`
}

/** Installs with Helm 3 and upgrades with Helm 4, as during a migration; then repeats all of it with Helm 4. */
async function install(kubectl: string, helm: string, helm3: string, values: readonly string[]): Promise<void> {
  const wait = ['--wait', '--timeout', '10m']
  const run = (title: string, program: string, args: readonly string[]) =>
    step(title, () => runCheck(program, args).then(() => {}))
  const test = (of: string) => run(`test ${of}`, helm, ['test', ...release])
  const dependencies = ['dev-deps', 'charts/dev-deps', ...there, '--set', 'acknowledge=true']
  const product = [...release, chart, ...values]
  try {
    await run('dev-deps', helm, ['install', ...dependencies, ...wait])
    await run('install by Helm 3', helm3, ['install', ...product, ...wait])
    await test('the installation')
    await run('upgrade', helm, ['upgrade', ...product, '--set-string', 'secrets.rolloutToken=2', ...wait])
    await test('the upgrade')
    await run('rollback', helm, ['rollback', ...release, ...wait])
    await test('the rollback')
    await run('uninstall', helm, ['uninstall', ...release, ...wait])
    await run('install again', helm, ['install', ...product, ...wait])
    await test('the new one')
  } catch (error) {
    const seen = ['get', 'pods,events', ...there, '--sort-by=.metadata.creationTimestamp']
    const states = await runCheck(kubectl, seen)
    throw error instanceof SetupError ? new SetupError(`${error.message}\n\n${states}`) : error
  }
}
