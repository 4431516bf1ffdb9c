import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../deploy/local/settings.ts'

const config = `
import { failureReporter } from '${join(root, 'testing/failure-reporter.ts')}'
export default {
  test: { globals: true, testTimeout: 0, reporters: [failureReporter], experimental: { viteModuleRunner: false } },
}`

const failing = `
test('adds', () => expect([1, 1]).toEqual([1, 2]))
test('does not end', () => new Promise(() => {}))`

test('why a test failed is printed while the others run', async () => {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-reporter-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  await writeFile(join(directory, 'vitest.config.mjs'), config)
  await writeFile(join(directory, 'sum.test.mjs'), failing)
  const run = spawn(join(root, 'node_modules/.bin/vitest'), ['run', '--root', directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  stack.defer(() => {
    // Its workers as well.
    if (run.pid !== undefined && run.exitCode === null) process.kill(-run.pid, 'SIGKILL')
  })
  let output = ''
  run.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await expect.poll(() => output).toMatch(/at file:.*sum\.test\.mjs/)
  expect(output).toContain(
    `Failed: ${join(directory, 'sum.test.mjs')} > adds\nexpected [ 1, 1 ] to deeply equal [ 1, 2 ]`,
  )
  expect(output).toContain('-   2,\n+   1,')
})
