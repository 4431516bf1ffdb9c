// Runs a TypeScript file of this repository with the packages of package-lock.json, which pin the Node.js version. Installs them
// first if necessary: node deploy/local/run.js <script.ts> [arguments…]
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { arePackagesInstalled, pinnedNode } from './installed-packages.js'

const oldestMajor = 20
const parentPollMs = 500
const root = fileURLToPath(new URL('../..', import.meta.url))
const path = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`

main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode
  },
  (error) => {
    console.error(error.message)
    process.exitCode = 1
  },
)

/** @param {string[]} scriptAndArguments */
async function main(scriptAndArguments) {
  if (Number.parseInt(process.versions.node, 10) < oldestMajor) {
    throw new Error(`Node.js ${oldestMajor} or later is required; this is ${process.version}. See https://nodejs.org.`)
  }
  const installed = arePackagesInstalled(root) ? 0 : await install()
  // Node.js stores compiled code: a service then starts with half the CPU time.
  const compileCache = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/node')
  const environment = { PATH: path, NODE_COMPILE_CACHE: compileCache }
  return installed || (await runToEnd(join(root, pinnedNode), scriptAndArguments, environment, 'ipc'))
}

/** @returns the exit code of npm */
async function install() {
  console.log('Installing the packages of package-lock.json (npm ci)')
  const endProgress = showProgress()
  const exitCode = await runToEnd(
    'npm',
    ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'],
    {},
    'ignore',
  )
  endProgress()
  if (exitCode === 0 && !arePackagesInstalled(root)) {
    throw new Error(
      'npm did not install all packages of package-lock.json. Allow it to run install scripts and try again.',
    )
  }
  return exitCode
}

/**
 * Shows how many packages npm has unpacked: in place on a terminal, otherwise every few seconds.
 *
 * @returns {() => void} ends it
 */
function showProgress() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const names = Object.keys(packages).filter((name) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name))
  const { isTTY } = process.stdout
  const show = () => {
    const unpacked = names.filter((name) => existsSync(join(root, name, 'package.json'))).length
    const text = `  ${unpacked} of ${names.length} packages`
    process.stdout.write(isTTY ? `\r${text}\u001b[K` : `${text}\n`)
  }
  const timer = setInterval(show, isTTY ? 500 : 5_000)
  return () => {
    clearInterval(timer)
    if (isTTY) process.stdout.write('\r\u001b[K')
  }
}

/**
 * Runs a program to its end, passing signals on to it, and resolves with its exit code. The channel `ipc`
 * closes when this process is killed.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} environment
 * @param {'ipc' | 'ignore'} channel
 * @returns {Promise<number>}
 */
function runToEnd(command, args, environment, channel) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['inherit', 'inherit', 'inherit', channel],
    })
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
      process.on(signal, () => child.kill(signal))
    stopWithNpm(child)
    child.on('error', (error) => reject(new Error(`${command} could not be started: ${error.message}`)))
    child.on('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]))
  })
}

/**
 * npm, or the shell it runs us in, can be killed without a signal to us: then we have another parent.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function stopWithNpm(child) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.env.npm_lifecycle_event === undefined || process.ppid === parent) return
    clearInterval(timer)
    child.kill('SIGTERM')
  }, parentPollMs).unref()
}
