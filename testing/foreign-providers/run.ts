import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { createStep } from '../../deploy/local/progress.ts'
import { readSettings, root } from '../../deploy/local/settings.ts'

const usage = `Usage: npm run check:foreign-providers

Logs in, refreshes, revokes, rotates keys and logs out with OpenID Providers that others wrote: Keycloak (with Java and Maven), Ory Hydra
(with Go) and Dex (if the program dex is installed, or named by DEX_PROGRAM). What cannot be built on this machine is skipped. The first run takes minutes. With CONFORMANCE_SUITE_URL, the OpenID Foundation's plans for
relying parties run as well.`

/** A program that is built once for each version. */
interface Build {
  readonly title: string
  /** What the tests need to know. */
  readonly variable: string
  readonly requires: readonly string[]
  readonly directory: string
  /** The program in the directory. */
  readonly program: string
  readonly build: (directory: string) => Promise<void>
}

const keycloakVersion = '26.7.3'
const hydraVersion = 'v2.3.0'
/** Hydra's own go.mod replaces this module, which applies only to its own builds. */
const hydraReplacement = 'github.com/gobuffalo/pop/v6=github.com/ory/pop/v6@v6.2.1-0.20241121111754-e5dfc0f3344b'

const run = (command: string, args: readonly string[], directory: string) =>
  promisify(execFile)(command, [...args], { cwd: directory, maxBuffer: 64 * 2 ** 20, signal: interruption })

const builds: readonly Build[] = [
  {
    title: 'Keycloak',
    variable: 'KEYCLOAK_DIRECTORY',
    requires: ['java', 'mvn'],
    directory: `keycloak-${keycloakVersion}`,
    program: `keycloak-${keycloakVersion}`,
    async build(directory) {
      const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:unpack'
      const artifact = `-Dartifact=org.keycloak:keycloak-quarkus-dist:${keycloakVersion}:zip`
      await run('mvn', ['-q', '-B', goal, artifact, `-DoutputDirectory=${directory}`], directory)
    },
  },
  {
    title: 'Hydra',
    variable: 'HYDRA_PROGRAM',
    requires: ['go'],
    directory: `hydra-${hydraVersion}`,
    program: 'hydra',
    async build(directory) {
      const go = (...args: string[]) => run('go', args, directory)
      await go('mod', 'init', 'hydra-for-tests')
      await go('mod', 'edit', `-replace=${hydraReplacement}`)
      await go('get', '-tool', `github.com/ory/hydra/v2@${hydraVersion}`)
      await go('build', '-tags', 'sqlite', '-o', 'hydra', 'github.com/ory/hydra/v2')
    },
  },
]

if (process.argv.includes('--help')) {
  console.log(usage)
  process.exit()
}
const interruption = listenForInterruption()
const step = createStep(interruption)
const folder = join(readSettings(process.env).LOCAL_DIRECTORY, 'foreign-providers')
const environment: Record<string, string> = {}
for (const build of builds) {
  const missing = build.requires.filter((name) => findProgram(name) === undefined)
  if (missing.length > 0) console.log(`SKIPPED  ${build.title}: not found: ${missing.join(', ')}.`)
  else environment[build.variable] = await step(build.title, () => ensureBuilt(build))
}
const dex = process.env.DEX_PROGRAM ?? findProgram('dex')
if (dex === undefined) console.log('SKIPPED  Dex: not found: dex.')
else environment.DEX_PROGRAM = dex

const files = ['services/provider-auth/test/foreign-products', 'services/console/test/foreign-provider-page.test.ts']
const child = spawn('npm', ['test', '--silent', '--', ...files], {
  cwd: root,
  env: { ...environment, ...process.env },
  stdio: ['ignore', 'inherit', 'inherit'],
})
interruption.addEventListener('abort', () => child.kill('SIGTERM'))
const [code] = await once(child, 'exit')
process.exit(typeof code === 'number' ? code : 1)

/** Builds a program unless it is there, and returns its path. A build that was interrupted begins again. */
async function ensureBuilt({ directory, program, build }: Build): Promise<string> {
  const built = join(folder, directory)
  if (existsSync(built)) return join(built, program)
  const building = `${built}.building`
  await rm(building, { recursive: true, force: true })
  await mkdir(building, { recursive: true })
  await build(building)
  await rename(building, built)
  return join(built, program)
}

function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((one) => join(one, name)).find((path) => existsSync(path))
}
