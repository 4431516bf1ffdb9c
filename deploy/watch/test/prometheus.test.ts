import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findPrograms } from '#local'
import { dashboards } from '../../dashboards/index.ts'
import { metricOf, selectorsIn } from '../expressions.ts'
import { panelsOf } from '../panels.ts'
import { type Stage, setStage } from './stage.ts'

const missing =
  (await findPrograms('prometheus')).length === 0 ? ' (skipped: install Prometheus; Debian: prometheus)' : ''

/** Until two scrapes have seen all that traffic brings. */
const patience = { timeout: 60_000, interval: 1_000 }

/** Panels about what a small site in good health never has. */
const quiet = new Set([
  'Questions without an answer, and defects',
  'Questions without an answer',
  'Near or over the limit',
  '5xx and 429',
  'Renewals of provider tokens',
  'Notices of providers',
  'Providers left for people',
  'Messaging webhook',
  'Sealed values that cannot be opened',
  'p95 of a job',
  'Time in garbage collection',
  'Why there was no login',
  'Failed statements',
  'profile: refused and failed',
  'friendship: refused and failed',
])

describe.skipIf(missing)(`rules and dashboards on a real Prometheus${missing}`, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage()
    // The slowest: rules on rules on two scrapes with traffic between them.
    await vi.waitFor(async () => expect(await stage.find('sociallogin:slo_burn:ratio_rate5m')).toBe(3), {
      timeout: 120_000,
      interval: 500,
    })
  }, 180_000)
  afterAll(() => stage?.[Symbol.asyncDispose]())

  test('70 every rule is evaluated, and every metric it names is exposed', async () => {
    const rules = await stage.rules()
    expect(rules.filter(({ health }) => health !== 'ok').map(({ name }) => name)).toEqual([])
    await expectExposed(
      rules.map(({ query }) => query),
      rules,
    )
    const recorded = new Set(rules.filter(({ type }) => type === 'recording').map(({ name }) => name))
    for (const name of recorded)
      await expect.poll(() => stage.find(name), { ...patience, message: name }).toBeGreaterThan(0)
  }, 90_000)

  test('59 every alert has a severity, a summary, a runbook that exists and a dashboard that exists', async () => {
    const boards = new Set(dashboards().map(({ uid }) => uid))
    for (const { name, type, labels, annotations } of await stage.rules()) {
      if (type !== 'alerting') continue
      expect(labels?.severity, name).toMatch(/^(critical|warning|info)$/)
      expect(annotations?.summary, name).toMatch(/\.$|\}\}\.$/)
      expect(annotations?.runbook_url, name).toBe(`docs/operations/runbooks/${name}.md`)
      expect(existsSync(annotations?.runbook_url ?? ''), annotations?.runbook_url).toBe(true)
      expect(boards.has(annotations?.dashboard), name).toBe(true)
    }
  })

  test('a constellation in good health raises no alert', async () => {
    expect(await stage.find('ALERTS{alertstate="firing"}')).toBe(0)
  })

  test('70 every expression of the dashboards is understood, names metrics that are exposed, and finds series where there was traffic', async () => {
    const panels = dashboards().flatMap(panelsOf)
    await expectExposed(
      panels.flatMap(({ expressions }) => expressions),
      await stage.rules(),
    )
    const listEmpty = async () => {
      const loud = panels.filter(({ title }) => !quiet.has(title))
      const empty: string[] = []
      for (const { title, expressions } of loud)
        for (const expression of expressions)
          if ((await stage.find(withVariables(expression))) === 0) empty.push(`${title}: ${expression}`)
      return empty
    }
    for (const { expressions } of panels)
      for (const expression of expressions) await stage.find(withVariables(expression))
    await expect.poll(listEmpty, patience).toEqual([])
  }, 90_000)

  async function expectExposed(expressions: readonly string[], rules: readonly { name: string }[]) {
    const texts = [...(await stage.exposed()).values()].join('\n')
    const exposed = new Set([...texts.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name))
    for (const { name } of rules) exposed.add(name)
    exposed.add('up')
    const strange = expressions.flatMap(selectorsIn).map(({ metric }) => metricOf(metric))
    expect([...new Set(strange)].filter((metric) => !exposed.has(metric))).toEqual([])
  }
})

/** As Grafana would put them in, for a Prometheus that scrapes every second. */
function withVariables(expression: string): string {
  return expression.replaceAll('$namespace', '.*').replaceAll('$__rate_interval', '30s')
}
