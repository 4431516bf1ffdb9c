import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { selectCommand } from './select-steps.ts'
import { verdict } from './steps.ts'

const steps = verdict.flat()
const submission = { isRelease: false, changedFiles: undefined }

test('every command of a step is a script of package.json', () => {
  const commands = steps.flatMap(({ command, ifChanged, release }) => [command, ifChanged?.command, release])
  const scripts = commands.flatMap((command) => command?.[0] ?? [])
  expect(scripts.filter((script) => !(script in packageJson.scripts))).toEqual([])
})

test('the files of which a change requires a whole step exist', () => {
  const globs = steps.flatMap(({ ifChanged }) => ifChanged?.files ?? [])
  expect(globs.filter((glob) => globSync(glob).length === 0)).toEqual([])
})

test.each([
  ['nothing can be compared', undefined, 'check:quick-starts -- express'],
  ['another page changed', ['docs/use/linking.md'], 'check:quick-starts -- express'],
  ['a quick start changed', ['README.md', 'docs/use/quick-starts/go.md'], 'check:quick-starts'],
  ['what answers its requests changed', ['services/provider-auth/openid/token/router.ts'], 'check:quick-starts'],
])('of the quick starts, a submission runs as many as necessary: %s', (_, changedFiles, command) => {
  const [quickStarts] = steps.filter(({ title }) => title === 'Quick starts')
  if (quickStarts === undefined) throw new Error('There is no step of quick starts.')
  expect(selectCommand(quickStarts, { isRelease: false, changedFiles })?.join(' ')).toBe(command)
})

test.each([
  [undefined, 'check:chart -- --core'],
  [['services/console/config.ts'], 'check:chart -- --core'],
  [['charts/social-login/values.yaml'], 'check:chart'],
])('if %s changed, the chart is checked by %s', (changedFiles, command) => {
  const [chart] = steps.filter(({ title }) => title === 'Helm charts')
  if (chart === undefined) throw new Error('There is no step of the charts.')
  expect(selectCommand(chart, { isRelease: false, changedFiles })?.join(' ')).toBe(command)
})

test('a release runs everything', () => {
  for (const step of steps) {
    const command = selectCommand(step, { isRelease: true, changedFiles: undefined })
    expect(command, step.title).toEqual(step.release ?? step.command)
    if (step.ifChanged !== undefined) expect(step.release, step.title).toEqual(step.ifChanged.command)
  }
})

test('a submission runs every step that has a command for it', () => {
  expect(steps.filter(({ command }) => command === undefined).map(({ title }) => title)).toEqual([
    'Login providers of others',
  ])
  for (const step of steps) expect(selectCommand(step, submission), step.title).toEqual(step.command)
})
