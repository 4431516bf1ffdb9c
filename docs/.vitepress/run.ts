// Installs the site's packages if necessary, then serves the site while you edit it (`dev`) or builds it (`build`).
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { arePackagesInstalled } from '../../deploy/local/installed-packages.js'

const docs = join(import.meta.dirname, '..')
const command = process.argv[2] ?? ''

if (command !== 'dev' && command !== 'build') {
  console.error('Usage: run.ts dev | build')
  process.exitCode = 2
} else {
  if (!arePackagesInstalled(docs)) run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  if (command === 'build') run(process.execPath, ['../node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'])
  run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', command])
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { cwd: docs, stdio: 'inherit' })
}
