import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '#local'
import type { Step } from '../local/progress.ts'
import { root } from '../local/settings.ts'

const buildImageName = 'docker.io/library/node:24-bookworm-slim'
const baseImageName = 'gcr.io/distroless/cc-debian12:nonroot'

/** Folder in which buildah stores images. */
export const imageStorage = join(root, '.tools/images')

/** Whether images can be built here: by buildah, as root. */
export function canBuildImages(): boolean {
  return spawnSync('buildah', ['--version']).error === undefined && process.getuid?.() === 0
}

interface BuildOptions {
  readonly tag: string
  /** Whether the real base images are used, from their registries, instead of images made of files of this machine. */
  readonly upstream: boolean
}

/** Builds the image of deploy/Dockerfile. @throws SetupError with the output of what failed */
export async function buildImage(step: Step, { tag, upstream }: BuildOptions): Promise<void> {
  mkdirSync(imageStorage, { recursive: true })
  await step('Base images', async (note) => {
    note(upstream ? 'from their registries' : 'made of files of this machine')
    if (upstream) for (const image of [buildImageName, baseImageName]) buildah('pull', '--quiet', image)
    else {
      const script = join(root, 'deploy/image/local-base-images.sh')
      runOrFail('sh', script, imageStorage, process.execPath, buildImageName, baseImageName)
    }
  })
  await step('Image', async () => {
    const file = join(root, 'deploy/Dockerfile')
    buildah('bud', '--isolation', 'chroot', '--pull=never', '--build-arg', 'VERSION=check', '-f', file, '-t', tag, root)
  })
}

/** Runs buildah. Returns what it prints. @throws SetupError with its output */
export function buildah(...args: readonly string[]): string {
  return runOrFail('buildah', '--root', imageStorage, ...args)
}

/** Runs a program. Returns what it prints. @throws SetupError with its output */
export function runOrFail(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new SetupError(`${command} ${args.join(' ')} failed.\n${stdout}${stderr}`)
  return stdout.trim()
}
