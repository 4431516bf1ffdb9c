import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { identity } from '#contracts'
import { findPrograms, requirePromtool } from '#local'
import { metrics } from '#runtime'
import { startConstellation } from '#testing'
import { dashboards } from '../../dashboards/index.ts'
import { metricOf, selectorsIn } from '../expressions.ts'
import { generated } from '../generated.ts'
import { panelsOf } from '../panels.ts'

const run = promisify(execFile)
const rule_texts = globSync('charts/social-login/rules/*.yaml').map((file) => readFileSync(file, 'utf8'))
const alerts = rule_texts.flatMap((text) => [...text.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)).sort()
const descriptions: Readonly<Record<string, { labels: Readonly<Record<string, string>> }>> = metrics

test('58 every metric a service exposes is in the list, in the services the list says, with the labels it says', async () => {
  await using constellation = await startConstellation()
  const names = { api_gateway: 'api-gateway', provider_auth: 'provider-auth', simulator: 'provider-simulator' }
  for (const [key, [replica]] of Object.entries(constellation.services)) {
    const service = Object.entries(names).find(([name]) => name === key)?.[1] ?? key
    const text = await (await fetch(`http://localhost:${replica?.operations_port}/metrics`)).text()
    const exposed = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`).sort()
    const listed = Object.entries(metrics).filter(([, { services }]) => services.some((name) => name === service))
    expect(exposed, service).toEqual(listed.map(([name, { type }]) => `${name} ${type}`).sort())
  }
})

test.each(Object.entries(generated()))('%s is what npm run generate:watch makes', (path, text) => {
  expect(readFileSync(path, 'utf8')).toBe(text)
})

test.each(dashboards().map((board) => [board.title, board] as const))(
  '60 %s: one id a panel, no data source of its own, small',
  (_title, board) => {
    const panels = panelsOf(board)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { type, title, datasource, fieldConfig, targets } of panels.filter(({ type }) => type !== 'row')) {
      expect(datasource?.uid, `${type} ${title}`).toBe('$datasource')
      expect(fieldConfig?.defaults.unit, title).toBeTruthy()
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length)
    }
    expect(JSON.stringify(board.templating?.list)).toContain('"datasource"')
    expect(JSON.stringify(board).length).toBeLessThan(1_048_576)
  },
)

test('expressions ask for labels that their metrics have and values that these can have', () => {
  const of_rules = rule_texts.map((text) => text.replace(/^\s*#.*$/gm, ''))
  const expressions = [
    ...of_rules,
    ...dashboards()
      .flatMap(panelsOf)
      .flatMap(({ expressions }) => expressions),
  ]
  const everywhere = new Set(['service_name', 'instance', 'namespace', 'job', 'le', 'slo'])
  const strange: string[] = []
  for (const { metric, matchers } of expressions.flatMap(selectorsIn)) {
    const description = descriptions[metricOf(metric)]
    for (const { label, value } of matchers) {
      if (description === undefined || everywhere.has(label)) continue
      const meaning = description.labels[label]
      if (meaning === undefined) strange.push(`${metric} has no ${label}`)
      const known = [...(meaning ?? '').matchAll(/`(\w+)`/g)].map(([, word]) => word)
      if (label === 'rpc_method') known.push(...Object.keys(identity.procedures))
      // Statuses, services and operations are named by others.
      if (['http_response_status_code', 'http_route', 'code', 'rpc_service'].includes(label)) continue
      for (const one of value.split('|')) if (!known.includes(one)) strange.push(`${metric}: ${label} is never ${one}`)
    }
  }
  expect(strange).toEqual([])
})

test('every alert is proven to fire and to stay quiet, and has a runbook; no runbook is of an alert there is not', () => {
  const tests = globSync('charts/social-login/rules/tests/*.yaml').map((file) => readFileSync(file, 'utf8'))
  const cases = tests.join('\n')
  for (const alert of alerts)
    for (const how of ['fires', 'stays quiet']) expect(cases).toContain(`- name: '${alert} ${how}: `)
  const runbooks = globSync('docs/operations/runbooks/*.md').map((file) => file.replace(/.*\/(\w+)\.md/, '$1'))
  expect(runbooks.filter((name) => name !== 'README').sort()).toEqual(alerts)
})

test.each(globSync('docs/operations/runbooks/[!R]*.md'))(
  '%s tells what people feel, how to confirm it, causes, what to do, and what comes after',
  (file) => {
    const headings = [...readFileSync(file, 'utf8').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(['What people feel', 'Confirm', 'Likely causes', 'What to do', 'Escalate', 'Afterwards'])
  },
)

test('every link of the operations docs leads somewhere, headings included', () => {
  const broken: string[] = []
  for (const file of globSync('docs/operations/**/*.md'))
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/\]\(([^):]+)\)/g)) {
      const [path = '', heading] = target.split('#')
      const linked = path === '' ? file : join(dirname(file), path)
      const leads = existsSync(linked) && (heading === undefined || headingsOf(linked).includes(heading))
      if (!leads) broken.push(`${file}: ${target}`)
    }
  expect(broken).toEqual([])
})

/** As links name them. */
function headingsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}

const missing =
  (await findPrograms('prometheus')).length === 0 ? ' (skipped: install Prometheus; Debian: prometheus)' : ''

describe.skipIf(missing)(`promtool${missing}`, () => {
  test('70 accepts the rules', async () => {
    await run(await requirePromtool(), ['check', 'rules', ...globSync('charts/social-login/rules/*.yaml')])
  })

  test.each(globSync('charts/social-login/rules/tests/*.yaml'))(
    '70 %s passes',
    async (file) => {
      await run(await requirePromtool(), ['test', 'rules', file])
    },
    300_000,
  )
})
