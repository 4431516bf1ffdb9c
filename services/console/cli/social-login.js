#!/usr/bin/env node
// Starts the command line with the Node version that package.json pins, because it runs our TypeScript sources directly.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const node = pinnedNode()
if (node === undefined) {
  console.error('social-login: the packages are not installed. Run "npm ci" in the directory of package-lock.json.')
  process.exitCode = 1
} else {
  const options = ['--disable-warning=ExperimentalWarning', '--import', join(here, 'typescript.js')]
  const args = [...options, join(here, 'main.ts'), ...process.argv.slice(2)]
  // Node's compile cache speeds up the next start. It is in the user's own directory, because its content is executed.
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'social-login')
  const env = { NODE_COMPILE_CACHE: cache, ...process.env }
  const { status, signal, error } = spawnSync(node, args, { stdio: 'inherit', env })
  if (error) console.error(`social-login: ${node} could not be started: ${error.message}`)
  process.exitCode = signal === null ? (status ?? 1) : 128 + constants.signals[signal]
}

/** @returns the Node that package.json pins; undefined: not installed */
function pinnedNode() {
  try {
    const path = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin/node')
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}
