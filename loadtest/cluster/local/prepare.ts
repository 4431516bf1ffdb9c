import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePrograms, requireProgram, SetupError } from '#local'
import { findCustomResourceFiles } from '../../../deploy/chart/find-schemas.ts'
import { buildah, buildImage, canBuildImages, imageStorage, runOrFail } from '../../../deploy/image/build-image.ts'
import type { Note, Step } from '../../../deploy/local/progress.ts'
import { root } from '../../../deploy/local/settings.ts'
import { clusterToolNames } from '../../../deploy/tools/cluster-tools.ts'
import { findOrBuild } from '../../../deploy/tools/find-or-build.ts'
import { findClusterPrograms } from '../release.ts'
import { dnsImage, pauseImage, productImage, serverImages } from './image-names.ts'
import type { PreparedCluster } from './prepared.ts'
import type { Workspace } from './workspace.ts'

/**
 * Finds or builds the programs, images and definitions of a cluster.
 *
 * @throws SetupError with what to do
 */
export async function prepareCluster(step: Step, { directory }: Workspace): Promise<PreparedCluster> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new SetupError(
      'A cluster of its own requires Linux and root. Otherwise, set KUBECONFIG to an existing cluster.',
    )
  await step('Packages', (note) =>
    ensurePrograms(['postgres', 'redis', 'nats', 'chromium', 'buildah', 'runc', 'iptables', 'ipset'], {
      note,
      log: join(directory, 'install.log'),
    }),
  )
  const programs = join(directory, 'programs')
  await step('Programs', (note) => linkPrograms(programs, note))
  const clients = await findClusterPrograms(step)
  const customResources = await step('Definitions', findCustomResourceFiles)
  const images = await makeImages(step, programs, join(directory, 'images'))
  return { programs, clients, images, customResources, data: join(directory, 'data') }
}

async function linkPrograms(folder: string, note: Note): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const name of clusterToolNames) {
    note(name)
    symlinkSync(await findOrBuild(name, { note }), join(folder, name))
  }
  note(`${clusterToolNames.length} programs`)
}

async function makeImages(step: Step, programs: string, folder: string): Promise<string[]> {
  if (!canBuildImages()) throw new SetupError('buildah could not be started.')
  await buildImage(step, { tag: productImage, upstream: false })
  mkdirSync(folder, { recursive: true })
  return step('Other images', async (note) => {
    const servers = await Promise.all((['postgres', 'redis', 'nats'] as const).map(requireProgram))
    const script = join(root, 'loadtest/cluster/local/server-images.sh')
    const ours = [join(programs, 'coredns'), join(programs, 'pause')]
    runOrFail('sh', script, imageStorage, ...servers.map(({ path }) => path), ...ours)
    note(servers.map(({ version }, index) => `${['postgres', 'redis', 'nats'][index]} ${version}`).join(', '))
    return [productImage, dnsImage, pauseImage, ...Object.values(serverImages)].map((image, index) => {
      const file = join(folder, `${index}.tar`)
      rmSync(file, { force: true })
      buildah('push', '--quiet', image, `docker-archive:${file}:${image}`)
      return file
    })
  })
}
