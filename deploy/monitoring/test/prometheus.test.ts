import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '#testing'
import { buildDashboards } from '../../dashboards/index.ts'
import { findSelectors, replaceVariables, type Selector, toMetricName } from '../expressions.ts'
import { parsePanels } from '../panels.ts'
import { missingPrograms, type Stage, setStage } from './stage.ts'

const missingMetrics = await missingPrograms()
const missing =
  missingMetrics.length === 0
    ? ''
    : ` (skipped: install ${missingMetrics.join(', ')}; Debian: prometheus, prometheus-…-exporter)`

/** Long enough for two scrapes to include all series of the traffic. */
const eachSecond = { interval: 1_000 }

/** Panels without data in a healthy small installation. */
const quiet = new Set([
  'Firing alerts',
  'Calls without a response, and defects',
  'Calls without a response',
  'Sites near or over the limit',
  '5xx and 429',
  'Refreshes of provider tokens',
  'Webhooks of providers',
  'Provider revocations',
  'Messaging webhook',
  'Decryption failures',
  'p95 of a job',
  'Time in garbage collection',
  'Failed logins by reason',
  'Failed statements',
  'Records sent',
  'Failed attempts',
  'Notices',
  'Locks',
  'Age of read replicas',
  'Reads that may be stale',
  'profile: rejected and failed',
  'friendship: rejected and failed',
])

describe.skipIf(missing)(`rules and dashboards on a real Prometheus${missing}`, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage()
    // The slowest: rules that use other rules, on two scrapes with traffic between them.
    await waitFor(async () => expect(await stage.find('sociallogin:slo_burn:ratio_rate5m')).toHaveLength(3), {
      interval: 500,
    })
  })
  afterAll(() => stage?.[Symbol.asyncDispose]())

  test('70 every rule is evaluated, and every series it names is exposed with its labels', async () => {
    const rules = await stage.rules()
    expect(rules.filter(({ health }) => health !== 'ok').map(({ name }) => name)).toEqual([])
    await expectExposed(
      rules.map(({ query }) => query),
      rules,
    )
    const recorded = new Set(rules.filter(({ type }) => type === 'recording').map(({ name }) => name))
    for (const name of recorded)
      await expect.poll(() => stage.find(name), { ...eachSecond, message: name }).not.toEqual([])
  })

  test('a healthy stack raises no alert', async () => {
    expect(await stage.find('ALERTS{alertstate="firing"}')).toEqual([])
  })

  test('the public addresses pass the probes of the blackbox exporter from the documentation', async () => {
    const readProbes = async () => (await stage.find('probe_success')).map(({ value }) => value?.[1])
    await expect.poll(readProbes, eachSecond).toEqual(['1', '1', '1'])
    const instances = (await stage.find('probe_success')).map(({ metric }) => metric.instance)
    expect(instances.filter((instance) => instance?.includes('?'))).toEqual([])
  })

  test('70 every dashboard expression is valid, names exposed series, and finds some where there was traffic', async () => {
    const panels = buildDashboards().flatMap(parsePanels)
    await expectExposed(
      panels.flatMap(({ expressions }) => expressions),
      await stage.rules(),
    )
    const listEmpty = async () => {
      const empty: string[] = []
      for (const { title, expressions } of panels.filter(({ title }) => !quiet.has(title)))
        for (const expression of expressions)
          if ((await stage.find(replaceVariables(expression))).length === 0) empty.push(`${title}: ${expression}`)
      return empty
    }
    for (const { expressions } of panels)
      for (const expression of expressions) await stage.find(replaceVariables(expression))
    await expect.poll(listEmpty, eachSecond).toEqual([])
  })

  async function expectExposed(expressions: readonly string[], rules: readonly { name: string }[]) {
    const known = labelsIn(await stage.exposed())
    const named = expressions.flatMap(findSelectors)
    expect(named.flatMap((selector) => findUnknownSeries(selector, known, rules))).toEqual([])
  }
})

/** Labels that Prometheus and Kubernetes add. */
const ofPrometheus = ['job', 'instance', 'namespace', 'release']

/** Labels of every metric that is exposed. */
function labelsIn(pages: string): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>()
  for (const [, name = ''] of pages.matchAll(/^# TYPE (\S+) /gm)) known.set(name, known.get(name) ?? new Set())
  for (const [, series = '', inside = ''] of pages.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)) {
    const labels = known.get(series) ?? known.get(toMetricName(series))
    for (const [, label = ''] of inside.matchAll(/(\w+)="/g)) labels?.add(label)
  }
  return known
}

/**
 * Describes what is missing for a selector. Our own metrics may have no series yet; another test checks their labels.
 */
function findUnknownSeries(
  { metric, matchers }: Selector,
  known: ReadonlyMap<string, ReadonlySet<string>>,
  rules: readonly { name: string }[],
): string[] {
  if (['up', 'ALERTS'].includes(metric) || rules.some(({ name }) => name === metric)) return []
  const labels = known.get(metric) ?? known.get(toMetricName(metric))
  if (labels === undefined) return [`${metric} is not exposed`]
  if (/^(sociallogin|http_server|db_client)_/.test(metric)) return []
  return matchers
    .filter(({ label }) => !ofPrometheus.includes(label) && label !== 'service_name' && !labels.has(label))
    .map(({ label }) => `${metric} has no ${label}`)
}
