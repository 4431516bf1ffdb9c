import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPrograms, LocalFailure, search } from '#local'
import { listenForInterruption } from '../local/interruption.ts'
import { type Note, stepsUntil } from '../local/progress.ts'
import { root } from '../local/settings.ts'
import { findOrBuild } from '../tools/find-or-build.ts'
import type { ToolName } from '../tools/tools.ts'
import { findCustomResourceSchemas, findKubernetesSchemas, schema_file } from './find-schemas.ts'
import { generated, charts as with_generated } from './generate.ts'
import { chart, installations, render } from './installations.ts'
import { looseEnds } from './loose-ends.ts'
import { approve } from './program.ts'
import { kubernetes_releases } from './schema-sources.ts'
import { unreachableSettings } from './unreachable-settings.ts'
import { unusedValues } from './unused-values.ts'

const usage = `Usage: npm run check:chart [-- --only <step>]
Checks the charts without a cluster. Tools that the machine lacks are built by Go, at pinned versions, into .tools/.
What cannot be had is skipped, and said so at the end; the exit code tells what is wrong alone.`

/** From its own module host, which not every proxy serves: taken where it is, not built. */
const kube_linter = {
  files: ['kube-linter'],
  folders: [],
  variable: 'KUBE_LINTER',
  version_arguments: ['version'],
  version: /(\d+(?:\.\d+)*)/,
  at_least: [0, 7],
}

const charts = [chart, 'charts/dev-deps'].filter((path) => existsSync(join(root, path)))
const interruption = listenForInterruption()
const step = stepsUntil(interruption)
const failures: string[] = []
const skipped: string[] = []
const { values: options } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } })

/** A step whose failure is told, and the next one done. */
async function check(title: string, work: (note: Note) => Promise<void>): Promise<void> {
  if (options.only !== undefined && options.only !== title) return
  try {
    await step(title, work)
  } catch (error) {
    if (!(error instanceof LocalFailure)) throw error
    failures.push(`${title}\n${error.message}`)
  }
}

/** Blank lines are each Helm's own. */
const compact = (objects: string) => objects.replaceAll(/\n{2,}/g, '\n')

/** What a check needs, or undefined, and the check said to be skipped, where it cannot be had. */
async function obtain<T>(title: string, work: (note: Note) => Promise<T>): Promise<T | undefined> {
  if (interruption.aborted) return undefined
  try {
    return await step(title, work)
  } catch (error) {
    if (!(error instanceof LocalFailure)) throw error
    skipped.push(`what needs ${title}: ${error.message}`)
    return undefined
  }
}

const tool = (name: ToolName) => obtain(name, (note) => findOrBuild(name, { note }))

if (options.help) {
  console.log(usage)
  process.exit()
}

await check('generated', async () => {
  const stale = with_generated
    .flatMap((path) => [...generated(path)])
    .filter(([path, text]) => readFileSync(join(root, path), 'utf8') !== text)
  if (stale.length > 0)
    throw new LocalFailure(
      `${stale.map(([path]) => path).join(', ')}: not as values.yaml says. Type: node deploy/chart/generate.ts`,
    )
})

const helm = await tool('helm')
const helm3 = await tool('helm3')
for (const program of [helm, helm3].filter((path) => path !== undefined)) {
  await check(program === helm ? 'lint' : 'lint, helm 3', async (note) => {
    for (const installation of installations) {
      note(installation)
      await approve(program, ['lint', '--strict', chart, '--values', `${chart}/ci/${installation}.yaml`])
    }
    for (const path of charts.slice(1)) await approve(program, ['lint', '--strict', path, '--set', 'acknowledge=true'])
  })
}

const unittest = await tool('helm-unittest')
if (unittest !== undefined) {
  await check('unit tests', async (note) => {
    note(
      (await approve(unittest, ['--strict', '-f', 'tests/*_test.yaml', ...charts])).match(/Tests:\s+(.*)/)?.[1] ?? '',
    )
  })
}

if (helm !== undefined) {
  const rendered = new Map<string, string>()
  await check('render', async (note) => {
    for (const installation of installations) {
      note(installation)
      rendered.set(installation, await render(helm, installation))
    }
    if (helm3 === undefined) return
    for (const [installation, objects] of rendered) {
      note(`${installation}, helm 3`)
      if (compact(await render(helm3, installation)) !== compact(objects))
        throw new LocalFailure(`Helm 3 renders ${installation} otherwise.`)
    }
  })

  const kubeconform = await tool('kubeconform')
  if (kubeconform !== undefined) {
    const custom = await obtain('schemas', findCustomResourceSchemas)
    for (const [age, release] of Object.entries(kubernetes_releases)) {
      const own = await obtain(`schemas ${release}`, (note) => findKubernetesSchemas(release, note))
      if (own === undefined || custom === undefined) continue
      const locations = [own, custom].flatMap((folder) => ['-schema-location', join(folder, schema_file)])
      await check(`${age} API`, async (note) => {
        for (const [installation, objects] of rendered) {
          note(`${release}: ${installation}`)
          await approve(kubeconform, ['-strict', '-summary', ...locations, '-'], objects)
        }
      })
    }
  }

  const [linter] = await search(kube_linter, process.env)
  if (linter === undefined) skipped.push('kube-linter: it was not found on the PATH')
  else {
    await check('kube-linter', async (note) => {
      for (const [installation, objects] of rendered) {
        note(installation)
        await approve(linter.path, ['lint', '--config', 'deploy/chart/kube-linter.yaml', '-'], objects)
      }
    })
  }

  await check('pod security', async (note) => {
    const wrong = [...rendered].flatMap(([installation, objects]) =>
      looseEnds(objects).map((sentence) => `${installation}: ${sentence}`),
    )
    if (wrong.length > 0) throw new LocalFailure(wrong.join('\n'))
    note('restricted')
  })

  await check('settings', async () => {
    const { missing, unknown } = await unreachableSettings(rendered.get('complete') ?? (await render(helm, 'complete')))
    if (missing.length > 0) throw new LocalFailure(`The chart cannot set: ${missing.join(', ')}`)
    if (unknown.length > 0) throw new LocalFailure(`The chart sets what nobody reads: ${unknown.join(', ')}`)
  })

  await check('values', async (note) => {
    const unused = await unusedValues(helm, (done, of) => note(`${done} of ${of} change something`))
    if (unused.length > 0) throw new LocalFailure(`Values that change nothing: ${unused.join(', ')}`)
  })
}

const rules = globSync(join(root, chart, 'rules/*.yaml'))
const rule_tests = globSync(join(root, chart, 'rules/tests/*.yaml'))
const [promtool] = await findPrograms('promtool')
if (promtool === undefined) skipped.push('alert rules: promtool was not found')
else if (rules.length === 0) skipped.push('alert rules: the chart has none')
else {
  await check('rules', async (note) => {
    await approve(promtool.path, ['check', 'rules', ...rules])
    if (rule_tests.length > 0) await approve(promtool.path, ['test', 'rules', ...rule_tests])
    note(`${rules.length} files, ${rule_tests.length} of tests`)
  })
}

for (const failure of failures) console.error(`\nWRONG  ${failure}`)
for (const what of skipped) console.error(`\nSKIPPED  ${what}`)
process.exit(failures.length === 0 && !interruption.aborted ? 0 : 1)
