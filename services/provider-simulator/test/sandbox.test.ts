import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { table, withGenerated } from '#testing'
import { createClientRegistry } from '../client-registry.ts'
import { createRender } from '../pages.ts'
import { createProviders } from '../providers/index.ts'
import type { SimulatedProvider } from '../providers/provider.ts'
import { getScenarioKind, scenarioNames, subjects } from '../scenarios/scenario-kinds.ts'
import { createScenarios } from '../scenarios/scenarios.ts'
import { createSignInFlow } from '../sign-in-flow.ts'
import { startSimulator } from './simulator.ts'

const sandbox = readFileSync('docs/use/sandbox.md', 'utf8')
const documentedUrl = 'http://localhost:8090'

test('docs/use/sandbox.md lists every scenario and every endpoint', async () => {
  const url = documentedUrl
  const [render, scenarios] = [createRender(url), createScenarios()]
  const signIn = createSignInFlow({ render, scenarios })
  const providers = await createProviders({ url, clients: createClientRegistry(), scenarios, render, signIn })
  const parts = { scenarios: tableOfScenarios(), providers: providers.map(describeProvider).join('\n\n') }
  await expect(withGenerated(sandbox, parts)).toMatchFileSnapshot('../../../docs/use/sandbox.md')
})

function tableOfScenarios(): string {
  const rows = scenarioNames.map((scenario) => {
    const { subject, title, effect, seconds } = getScenarioKind(scenario)
    const bounds = seconds ? ` \`seconds\`: ${seconds.least} to ${seconds.most}, default ${seconds.usual}.` : ''
    return [`\`${scenario}\``, subjects[subject], title, effect + bounds]
  })
  return table(['`scenario`', 'Affects', 'Title', 'Effect'], rows)
}

function describeProvider({ title, issuer, summary, routes }: SimulatedProvider): string {
  const rows = routes.stack.flatMap(({ name, methods, path }) =>
    typeof name === 'string' && typeof path === 'string'
      ? [[name, methods.filter((method) => method !== 'HEAD').join(' '), `\`${path}\``]]
      : [],
  )
  const knownBy = issuer === undefined ? '' : ` Issuer: \`${issuer}\``
  return `### ${title}\n${summary}${knownBy}\n\n${table(['For', 'Method', 'Path'], rows)}`
}

const command =
  /^curl (?:-X (?<method>\w+) )?(?<address>http\S+)(?: \\\n +-H '(?<header>[^:']+): (?<value>[^']+)' \\\n +-d '(?<body>[^']+)')?/gm

test('every curl of docs/use/sandbox.md does what it says', async () => {
  await using simulator = await startSimulator()
  const commands = [...sandbox.matchAll(command)].map(({ groups = {} }) => groups)
  expect(commands).toHaveLength(sandbox.match(/^curl /gm)?.length ?? 0)
  let id = ''
  for (const { method = 'GET', address = '', header = '', value = '', body } of commands) {
    const target = address.replace(documentedUrl, simulator.url).replace(/ID$/, id)
    const sent = body === undefined ? { method } : { method: 'POST', headers: { [header]: value }, body }
    const response = await fetch(target, sent)
    const created = address.endsWith('/sdk') ? 200 : 201
    const expected = body === undefined ? (method === 'DELETE' ? 204 : 200) : created
    const result = await response.text()
    expect({ target, status: response.status, answer: result }).toMatchObject({ status: expected })
    if (response.status === 201) id = JSON.parse(result).id ?? id
  }
})
