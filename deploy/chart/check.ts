import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPrograms, SetupError } from '#local'
import { listenForInterruption } from '../local/interruption.ts'
import { createStep, type Note } from '../local/progress.ts'
import { root } from '../local/settings.ts'
import { findOrBuild } from '../tools/find-or-build.ts'
import type { ToolName } from '../tools/tools.ts'
import { checkPackage } from './check-package.ts'
import { findWrongCommands, readKubectlCommands } from './documented-commands.ts'
import { findCustomResourceSchemas, findKubernetesSchemas, schemaFile } from './find-schemas.ts'
import { charts, generateChartFiles } from './generate.ts'
import { imagesOf, readListedImages } from './images.ts'
import { chart, exampleInstallations, render } from './installations.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { findPolicyViolations } from './policy-violations.ts'
import { runCheck } from './run-program.ts'
import { kubernetesReleases } from './schema-sources.ts'
import { findUnreachableSettings } from './unreachable-settings.ts'
import { findUnusedValues } from './unused-values.ts'

/** Kinds of deploy/examples whose definitions nothing else needs. They are not checked. */
const kindsWithoutSchema = 'Application,EnvoyProxy'

const usage = `Usage: npm run check:chart [-- --only <step> | --core]
Checks the charts without a cluster. Tools that the machine lacks are built by Go, at pinned versions, into ~/.cache/social-login/tools.
Checks whose tools are unavailable are skipped and listed at the end. The exit code is 1 only for failed checks.
--core omits the step values, which renders the chart for each value. Its result depends only on the files of the chart and of this check.`

const interruption = listenForInterruption()
const step = createStep(interruption)
const failures: string[] = []
const skipped: string[] = []
const { values: options } = parseArgs({
  options: { only: { type: 'string' }, core: { type: 'boolean', default: false }, help: { type: 'boolean' } },
})
if (options.help) {
  console.log(usage)
  process.exit()
}

/** Runs a step. Records a failure and continues. @returns whether the step succeeded */
async function attempt(title: string, work: (note: Note) => Promise<void>): Promise<boolean> {
  if (interruption.aborted) return false
  try {
    await step(title, work)
    return true
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    failures.push(`${title}\n${error.message}`)
    return false
  }
}

/** Runs a step that no other step needs, unless `--only` selects another. */
async function check(title: string, work: (note: Note) => Promise<void>): Promise<void> {
  if (options.only === undefined || options.only === title) await attempt(title, work)
}

/** Obtains what a check needs. Returns undefined and records the check as skipped if it is unavailable. */
async function obtain<T>(title: string, work: (note: Note) => Promise<T>): Promise<T | undefined> {
  if (interruption.aborted) return undefined
  try {
    return await step(title, work)
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    skipped.push(`what needs ${title}: ${error.message}`)
    return undefined
  }
}

const tool = (name: ToolName) => obtain(name, (note) => findOrBuild(name, { note }))

function failIfAny(wrong: readonly string[], sentence: (all: string) => string): void {
  if (wrong.length > 0) throw new SetupError(sentence(wrong.join(', ')))
}

await check('generated', async () => {
  const stale = charts
    .flatMap((folder) => [...generateChartFiles(folder)])
    .filter(([path, text]) => readFileSync(path, 'utf8') !== text)
  failIfAny(
    stale.map(([path]) => path),
    (paths) => `${paths}: out of date with values.yaml. Run: npm run generate:chart`,
  )
})

const helm = await tool('helm')
const helm3 = await tool('helm3')
for (const [title, program] of [['lint', helm] as const, ['lint, helm 3', helm3] as const]) {
  if (program === undefined) continue
  await check(title, async () => {
    const values = exampleInstallations.map((installation) => [chart, '--values', `${chart}/ci/${installation}.yaml`])
    const chartsToLint = [...values, ['charts/dev-deps', '--set', 'acknowledge=true']]
    await mapConcurrently(chartsToLint, (args) => runCheck(program, ['lint', '--strict', ...args]))
  })
}

const unittest = await tool('helm-unittest')
if (unittest !== undefined) {
  await check('unit tests', async (note) => {
    const output = await runCheck(unittest, ['--strict', '-f', 'tests/*_test.yaml', ...charts])
    note([...output.matchAll(/Tests:\s+(.*)/g)].map(([, count]) => count).join('; '))
  })
}

if (helm !== undefined) await checkRendered(helm)

const rules = globSync(join(root, chart, 'rules/*.yaml'))
const ruleTests = globSync(join(root, chart, 'rules/tests/*.yaml'))
const [promtool] = await findPrograms('promtool')
if (promtool === undefined) skipped.push('alert rules: promtool was not found')
else {
  await check('rules', async (note) => {
    await runCheck(promtool.path, ['check', 'rules', ...rules])
    await runCheck(promtool.path, ['test', 'rules', ...ruleTests])
    note(`${rules.length} files, ${ruleTests.length} of tests`)
  })
}

const [yamllint] = await findPrograms('yamllint')
if (yamllint === undefined) skipped.push('style of YAML files: yamllint was not found')
else {
  await check('yamllint', async (note) => {
    const files = globSync('{charts,deploy,.github}/**/*.{yaml,yml}', { cwd: root, exclude: ['charts/*/templates'] })
    await runCheck(yamllint.path, ['--strict', '--config-file', 'deploy/chart/yamllint.yaml', ...files])
    note(`${files.length} files`)
  })
}

for (const failure of failures) console.error(`\nWRONG  ${failure}`)
for (const what of skipped) console.error(`\nSKIPPED  ${what}`)
process.exit(failures.length === 0 && !interruption.aborted ? 0 : 1)

/** The objects that Helm renders for every installation in ci/. */
async function checkRendered(helm: string): Promise<void> {
  const rendered = new Map<string, string>()
  const folder = join(root, '.tools/rendered')
  /** The objects as files, for programs that read files. */
  const files = () => [...rendered.keys()].map((installation) => join(folder, `${installation}.yaml`))

  const wentWell = await attempt('render', async (note) => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const all = await mapConcurrently(exampleInstallations, (installation) => render(helm, installation))
    for (const [index, installation] of exampleInstallations.entries()) rendered.set(installation, all[index] ?? '')
    for (const [installation, objects] of rendered) writeFileSync(join(folder, `${installation}.yaml`), objects)
    note(`${exampleInstallations.length} installations`)
  })
  if (!wentWell) return

  if (helm3 !== undefined) {
    await check('render, helm 3', async () => {
      const otherwise = await mapConcurrently([...rendered], async ([installation, objects]) =>
        compact(await render(helm3, installation)) === compact(objects) ? [] : [installation],
      )
      failIfAny(otherwise.flat(), (names) => `Helm 3 renders these differently: ${names}`)
    })
  }

  const kubeconform = await tool('kubeconform')
  if (kubeconform !== undefined) {
    const custom = await obtain('schemas', findCustomResourceSchemas)
    for (const [age, release] of Object.entries(kubernetesReleases)) {
      const own = await obtain(`schemas ${release}`, (note) => findKubernetesSchemas(release, note))
      if (own === undefined || custom === undefined) continue
      const locations = [own, custom].flatMap((schemas) => ['-schema-location', join(schemas, schemaFile)])
      await check(`${age} API`, async (note) => {
        const checked = [...files(), ...findExampleObjects()]
        const skip = `-skip=${kindsWithoutSchema}`
        note((await runCheck(kubeconform, ['-strict', '-summary', skip, ...locations, ...checked])).trim())
      })
    }
  }

  const linter = await tool('kube-linter')
  if (linter !== undefined) {
    await check('kube-linter', async () => {
      await mapConcurrently(files(), (file) =>
        runCheck(linter, ['lint', '--config', 'deploy/chart/kube-linter.yaml', file]),
      )
      await runCheck(linter, ['lint', '--config', 'deploy/chart/kube-linter-ha.yaml', join(folder, 'ha.yaml')])
    })
  }

  await check('loose ends', async () => {
    const wrong = [...rendered].flatMap(([installation, objects]) =>
      findPolicyViolations(objects).map((sentence) => `${installation}: ${sentence}`),
    )
    if (wrong.length > 0) throw new SetupError(wrong.join('\n'))
  })

  await check('settings', async () => {
    const { missing, unknown } = await findUnreachableSettings([...rendered.values()])
    failIfAny(missing, (names) => `The chart cannot set: ${names}`)
    failIfAny(unknown, (names) => `The chart sets variables that no service reads: ${names}`)
  })

  await check('documented commands', async (note) => {
    const commands = readKubectlCommands()
    const servers = ['--set', 'acknowledge=true,simulator.image=registry.example.com/social-login:v0.1.0']
    const objects = await Promise.all([
      render(helm, 'production', { release: 'social-login' }),
      runCheck(helm, ['template', 'dev-deps', 'charts/dev-deps', ...servers]),
    ])
    const wrong = findWrongCommands(objects.join('\n---\n'), commands)
    if (wrong.length > 0) throw new SetupError(wrong.join('\n'))
    note(`${commands.length} of kubectl`)
  })

  await check('images', async (note) => {
    const found = imagesOf(rendered.get('default') ?? '').map((image) => image.replace(/^[^/]+\//, ''))
    const listed = readListedImages()
    if (found.join() !== listed.join())
      throw new SetupError(`Chart.yaml lists ${listed.join()}, and rendered are ${found.join()}.`)
    note(found.join(', '))
  })

  await check('package', async (note) => note(await checkPackage(helm, rendered.get('default') ?? '')))

  if (options.core) return
  await check('values', async (note) => {
    const unused = await findUnusedValues(helm, rendered, (done, of) => note(`${done} of ${of} change something`))
    failIfAny(unused, (names) => `Values that change nothing: ${names}`)
  })
}

/** The files of deploy/examples that contain objects; others contain values. */
function findExampleObjects(): string[] {
  return globSync(join(root, 'deploy/examples/*.yaml')).filter((file) =>
    /^apiVersion:/m.test(readFileSync(file, 'utf8')),
  )
}

/** Helm 3 and 4 differ in blank lines. */
function compact(objects: string): string {
  return objects.replaceAll(/\n{2,}/g, '\n')
}
