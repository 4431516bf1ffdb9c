import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SetupError } from '#local'
import { chart, render } from './installations.ts'
import { runCheck } from './run-program.ts'

/** The files that a package must contain, and those that it must not. */
const needed = ['Chart.yaml', 'values.yaml', 'values.schema.json', 'README.md', 'UPGRADING.md', 'files/smoke.mjs']
const leftOut = /^social-login\/(ci|tests|rules\/tests)\//

/**
 * Packs the chart, and has Helm render the package.
 *
 * @param asItIs what the folder renders with `ci/default.yaml`
 * @returns the package's name
 * @throws SetupError when files are missing or too many, or the package renders otherwise than the folder
 */
export async function checkPackage(helm: string, asItIs: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'social-login-package-'))
  try {
    const output = await runCheck(helm, ['package', chart, '--destination', folder])
    const file = output.trim().split(/:\s*/).at(-1) ?? ''
    const files = (await runCheck('tar', ['--list', '--file', file])).trim().split('\n')
    const missing = needed.filter((path) => !files.includes(`social-login/${path}`))
    const tooMany = files.filter((path) => leftOut.test(path))
    if (missing.length > 0) throw new SetupError(`The package lacks ${missing.join(', ')}.`)
    if (tooMany.length > 0) throw new SetupError(`The package holds ${tooMany.join(', ')}: see .helmignore.`)
    if ((await render(helm, 'default', { from: file })) !== asItIs)
      throw new SetupError('The package renders otherwise than the folder.')
    return file.slice(folder.length + 1)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
