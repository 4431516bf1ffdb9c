import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../deploy/local/settings.ts'
import { readFirstLoginSteps } from '../follow-page.ts'

// `npm run check:cluster -- --local` runs the commands.
const steps = readFirstLoginSteps()

test('the first login on Kubernetes has ten steps and a removal, each with commands that a shell can parse', () => {
  expect(steps.map(({ title }) => title)).toEqual([
    '1. Name the image',
    '2. Create a namespace',
    '3. Install the servers',
    '4. Install the service',
    '5. Test it',
    '6. Connect your machine',
    '7. Create a site',
    '8. Set up a login provider',
    '9. Log in',
    '10. Call the Web API',
    'Remove everything',
  ])
  for (const { commands } of steps) {
    expect(commands).not.toBe('')
    execFileSync('sh', ['-n'], { input: commands })
  }
})

test('its commands name files that exist', () => {
  const files = steps.flatMap(({ commands }) => commands.match(/\b(charts|docs)\/[\w./-]+/g) ?? [])
  expect(files).not.toEqual([])
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
