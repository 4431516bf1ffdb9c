import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { SetupError } from '#local'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { createStep } from '../../deploy/local/progress.ts'
import { root } from '../../deploy/local/settings.ts'
import { checkRelease } from './check-release.ts'
import { registry, serverImages, tag } from './local/image-names.ts'
import { prepareCluster } from './local/prepare.ts'
import { PreparedCluster } from './local/prepared.ts'
import { runInNamespaces } from './local/run-in-namespaces.ts'
import { startCluster } from './local/start-cluster.ts'
import { createWorkspace } from './local/workspace.ts'
import { findClusterPrograms } from './release.ts'

const usage = `Usage: KUBECONFIG=… npm run check:cluster [-- --registry <registry> [--tag <tag>]] [--report <file>]
       npm run check:cluster -- --local [--report <file>]

Has a cluster's API server judge every installation of ci/ (server-side dry run, where a warning fails too) in a namespace under Pod
Security restricted, which is made and removed. With a registry that holds the image, it installs dev-deps and the product there,
upgrades, rolls back, scales, evicts and kills pods under load, and runs the documented commands.

--local  builds the image and starts a cluster of one node for the check, as root on Linux, in namespaces of its own.
--report writes the report to a file.`

/** Environment variable with the file that describes the prepared cluster, for the process in its namespaces. */
const preparedFile = 'CLUSTER_CHECK_PREPARED'

const interruption = listenForInterruption()
const step = createStep(interruption)
try {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({ options: { registry: text, tag: text, report: text, local: flag, help: flag } })
  const report = values.report === undefined ? undefined : resolve(root, values.report)
  const file = process.env[preparedFile]
  if (values.help) console.log(usage)
  else if (file !== undefined) await checkLocalCluster(file, report)
  else if (values.local) process.exitCode = await runLocally()
  else {
    if (!process.env.KUBECONFIG)
      throw new SetupError(`KUBECONFIG is not set: no cluster is touched by chance.\n\n${usage}`)
    await checkRelease(step, await findClusterPrograms(step), {
      isLocal: false,
      report,
      images:
        values.registry === undefined
          ? undefined
          : { registry: values.registry, tag: values.tag ?? readReleaseTag(), servers: {} },
      cluster: 'The cluster existed before.',
    })
  }
} catch (error) {
  process.exitCode = 1
  if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

/** The tag of the version in package.json. */
function readReleaseTag(): string {
  const { version } = z.object({ version: z.string() }).parse(readJson(join(root, 'package.json')))
  return `v${version}`
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Prepares a cluster, and runs this program again in its namespaces. Returns the exit code. */
async function runLocally(): Promise<number> {
  using workspace = createWorkspace()
  const prepared = await prepareCluster(step, workspace)
  const file = join(workspace.directory, 'prepared.json')
  writeFileSync(file, JSON.stringify(prepared))
  return await runInNamespaces([process.execPath, import.meta.filename, ...process.argv.slice(2)], {
    cgroup: workspace.cgroup,
    interruption,
    environment: { ...process.env, [preparedFile]: file },
  })
}

async function checkLocalCluster(file: string, report: string | undefined): Promise<void> {
  const prepared = PreparedCluster.parse(readJson(file))
  const startedAt = performance.now()
  await startCluster(step, prepared)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
  const servers = Object.fromEntries(Object.entries(serverImages).map(([name, image]) => [`${name}.image`, image]))
  await checkRelease(step, prepared.clients, {
    isLocal: true,
    report,
    images: { registry, tag, servers },
    cluster: `The cluster was Kubernetes 1.36 with one node, Pod Security \`restricted\` and enforced network policies; it started in ${seconds} s.`,
  })
}
