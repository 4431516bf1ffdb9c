import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { identityContract } from '#contracts'
import { findPrograms, requirePromtool } from '#local'
import { describeLabel, type LabelValues, metrics } from '#runtime'
import { startStack } from '#testing'
import { buildDashboards } from '../../dashboards/index.ts'
import { findSelectors, toMetricName } from '../expressions.ts'
import { generateMonitoringFiles } from '../monitoring-files.ts'
import { parsePanels } from '../panels.ts'
import { alerts, rules } from '../rules.ts'

const run = promisify(execFile)
const boards = buildDashboards().map((board) => ({ ...board, panels: parsePanels(board) }))
const descriptions: Readonly<Record<string, { labels: Readonly<Record<string, string | LabelValues>> }>> = metrics

test('58 the list of metrics contains every exposed metric with its services and labels', async () => {
  await using serviceStack = await startStack()
  const { services, console } = serviceStack
  const names = { api_gateway: 'api-gateway', provider_auth: 'provider-auth', simulator: 'provider-simulator' }
  for (const [key, [replica]] of Object.entries({ ...services, console: [console.replica] })) {
    const service = Object.entries(names).find(([name]) => name === key)?.[1] ?? key
    const text = await (await fetch(`http://localhost:${replica?.operations_port}/metrics`)).text()
    const exposed = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${name} ${type}`).sort()
    const listed = Object.entries(metrics).filter(([, { services }]) => services.some((name) => name === service))
    expect(exposed, service).toEqual(listed.map(([name, { type }]) => `${name} ${type}`).sort())
  }
})

test.each(Object.entries(generateMonitoringFiles()))(
  '%s is up to date with npm run generate:monitoring',
  (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)

test.each(boards.map((board) => [board.title, board] as const))(
  '60 %s: unique panel IDs, no data source of its own, at most the maximum size; every panel has a unit and a unique name',
  (_title, board) => {
    const { panels } = board
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const drawn = panels.filter(({ type }) => type !== 'row')
    expect(new Set(drawn.map(({ title }) => title)).size).toBe(drawn.length)
    for (const { type, title, datasource, fieldConfig, targets } of drawn) {
      expect(datasource?.uid, `${type} ${title}`).toBe('$datasource')
      expect(fieldConfig?.defaults.unit, title).toBeTruthy()
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length)
    }
    expect(JSON.stringify(board.templating?.list)).toContain('"datasource"')
    expect(JSON.stringify(board).length).toBeLessThan(1_048_576)
  },
)

test('59 every alert links to a dashboard with a panel that shows its data, and panels link to existing runbooks', () => {
  for (const { alert, annotations } of alerts) {
    const shown = boards.find(({ uid }) => uid === annotations.dashboard)?.panels.flatMap(({ links }) => links)
    expect(
      shown?.map(({ title }) => title),
      `${alert} on ${annotations.dashboard}`,
    ).toContain(alert)
  }
  for (const { panels } of boards)
    for (const { url } of panels.flatMap(({ links }) => links)) expect(existsSync(url), url).toBe(true)
})

test('59 every alert has a summary and an existing runbook', () => {
  for (const { alert, annotations } of alerts) {
    expect(annotations.summary, alert).toMatch(/\.$/)
    expect(annotations.runbook_url, alert).toBe(`docs/operate/runbooks/${alert}.md`)
    expect(existsSync(annotations.runbook_url), annotations.runbook_url).toBe(true)
  }
})

test('findSelectors finds every selector of an expression', () => {
  const expression = `histogram_quantile(0.9, sum by (le) (rate(pg_typo_bucket{job="a",le!~"b|c"}[$__rate_interval])))
    / on (job) up and on () absent(nats_x) or label_replace(y, "a", "b{c}", "d", "") > bool 0`
  expect(findSelectors(expression).map(({ metric }) => metric)).toEqual(['pg_typo_bucket', 'up', 'nats_x', 'y'])
  expect(findSelectors(expression)[0]?.matchers).toEqual([
    { label: 'job', value: 'a' },
    { label: 'le', value: 'b|c' },
  ])
  expect(() => findSelectors('sum(x or')).toThrow('Invalid PromQL')
})

test('expressions use only labels and values that our metrics have', () => {
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...boards.flatMap(({ panels }) => panels.flatMap(({ expressions }) => expressions)),
  ]
  const everywhere = new Set(['service_name', 'instance', 'namespace', 'release', 'job', 'le', 'slo'])
  const namedByOthers = new Set(['http_response_status_code', 'http_route', 'code', 'rpc_service', 'provider', 'task'])
  const strange: string[] = []
  for (const { metric, matchers } of expressions.flatMap(findSelectors)) {
    const description = descriptions[toMetricName(metric)]
    for (const { label, value } of matchers) {
      if (description === undefined || everywhere.has(label)) continue
      const content = description.labels[label]
      if (content === undefined) strange.push(`${metric} has no ${label}`)
      const known = [...describeLabel(content ?? '').matchAll(/`(\w+)`/g)].map(([, word]) => word)
      if (label === 'rpc_method') known.push(...Object.keys(identityContract.procedures))
      if (namedByOthers.has(label)) continue
      for (const one of value.split('|')) if (!known.includes(one)) strange.push(`${metric}: ${label} is never ${one}`)
    }
  }
  expect(strange).toEqual([])
})

test('expressions aggregate by labels that our metrics have', () => {
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...boards.flatMap(({ panels }) => panels.flatMap(({ expressions }) => expressions)),
  ]
  const everywhere = ['service_name', 'instance', 'namespace', 'release', 'job', 'le', 'slo', 'version']
  const strange = expressions.flatMap((expression) => {
    const described = findSelectors(expression).map(({ metric }) => descriptions[toMetricName(metric)])
    if (described.includes(undefined)) return []
    const known = [...everywhere, ...described.flatMap((metric) => Object.keys(metric?.labels ?? {}))]
    const named = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/))
    return named.filter((label) => !known.includes(label)).map((label) => `${label} in ${expression}`)
  })
  expect(strange).toEqual([])
})

/** Series of exporters and of Kubernetes have no release. */
const withoutRelease = /^(kube_|pg_|redis_|nats_|probe_)/

test('59 every selector of a rule can be limited to a release, and aggregates of our series are by release', () => {
  for (const { expr } of rules) {
    const selectors = findSelectors(expr).filter(({ metric }) => !withoutRelease.test(metric))
    for (const { metric, matchers } of selectors)
      expect(matchers[0], `${metric} in ${expr}`).toEqual({ label: 'release', value: '.*' })
    if (selectors.some(({ metric }) => metric !== 'up'))
      expect(expr).not.toMatch(
        /\b(sum|min|max|count|group)\s*(\(|by \((?!namespace, release))|\bon \((?!namespace, release)/,
      )
  }
})

test('every alert has a test that it fires, a test that it does not fire, and a runbook; every runbook has an alert', () => {
  const tests = globSync('charts/social-login/rules/tests/*.yaml').map((file) => readFileSync(file, 'utf8'))
  const cases = tests.join('\n')
  for (const { alert } of alerts)
    for (const how of ['fires', 'stays quiet']) expect(cases).toContain(`- name: '${alert} ${how}: `)
  const runbooks = globSync('docs/operate/runbooks/*.md').map((file) => file.replace(/.*\/(\w+)\.md/, '$1'))
  const names = alerts.map(({ alert }) => alert)
  expect(runbooks.filter((name) => name !== 'README').sort()).toEqual(names)
})

test('the list of runbooks and each runbook state the severity of the alert', () => {
  const text = readFileSync('docs/operate/runbooks/README.md', 'utf8')
  const listed = [...text.matchAll(/^\| \[(\w+)\]\(\w+\.md\) \| (\w+) \|$/gm)]
  const severities = ['critical', 'warning', 'info']
  const sorted = alerts.toSorted(
    (a, b) => severities.indexOf(a.labels.severity) - severities.indexOf(b.labels.severity),
  )
  expect(listed.map(([, alert, severity]) => [alert, severity])).toEqual(
    sorted.map(({ alert, labels }) => [alert, labels.severity]),
  )
  for (const { alert, labels } of alerts)
    expect(readFileSync(`docs/operate/runbooks/${alert}.md`, 'utf8')).toContain(
      `# ${alert}\nSeverity: ${labels.severity}.\n`,
    )
})

test('dashboards and panels that the operations docs name exist', () => {
  const titles = new Set(boards.flatMap(({ title = '', panels }) => [title, ...panels.map((panel) => panel.title)]))
  for (const title of [...titles]) {
    titles.add(title.replace('Social login / ', ''))
    titles.add(title.replace(/, by .*| and the kubelet$/, ''))
  }
  // Pages of Prometheus.
  for (const page of ['Targets', 'Rules']) titles.add(page)
  const named = globSync('docs/operate/**/*.md').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?<![*\w])\*([A-Za-z][^*\n]+)\*(?!\*)/g)].map(([, name = '']) => ({
      file,
      name,
    })),
  )
  expect(named.filter(({ name }) => !titles.has(name))).toEqual([])
})

test.each(globSync('docs/operate/runbooks/[!R]*.md'))('%s has the sections of a runbook', (file) => {
  const headings = [...readFileSync(file, 'utf8').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual(['Impact', 'Diagnosis', 'Causes', 'Mitigation', 'Escalation', 'Follow-up'])
})

const missing =
  (await findPrograms('prometheus')).length === 0 ? ' (skipped: install Prometheus; Debian: prometheus)' : ''

describe.skipIf(missing)(`promtool${missing}`, () => {
  test('70 accepts the rules', async () => {
    await run(await requirePromtool(), ['check', 'rules', ...globSync('charts/social-login/rules/*.yaml')])
  })
})
