import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '#local'
import { createStep } from '../local/progress.ts'
import { root } from '../local/settings.ts'
import { inspectImage } from './inspect.ts'
import { checkProcessOne } from './process-one.ts'

/**
 * `npm run check:image [-- --upstream]`: builds the image of deploy/Dockerfile by buildah and holds it against what it
 * promises. Replaces its base images by images made of this machine's files, or, with `--upstream`, uses the real ones.
 */
const upstream = process.argv.includes('--upstream')
const buildImage = 'docker.io/library/node:24-bookworm-slim'
const baseImage = 'gcr.io/distroless/cc-debian12:nonroot'
const storage = join(root, '.tools/images')
const tag = 'localhost/social-login:check'

const step = createStep(new AbortController().signal)
try {
  if (spawnSync('buildah', ['--version']).error || process.getuid?.() !== 0) {
    console.error('SKIPPED: the image was not checked. It requires buildah (apt install buildah) and root.')
    process.exit(0)
  }
  mkdirSync(storage, { recursive: true })
  await step('Base images', async (note) => {
    note(upstream ? 'from their registries' : 'made of files of this machine')
    if (upstream) for (const image of [buildImage, baseImage]) buildah('pull', '--quiet', image)
    else run('sh', join(root, 'deploy/image/local-base-images.sh'), storage, process.execPath, buildImage, baseImage)
  })
  await step('Build', async () => {
    const file = join(root, 'deploy/Dockerfile')
    buildah('bud', '--isolation', 'chroot', '--pull=never', '--build-arg', 'VERSION=check', '-f', file, '-t', tag, root)
  })
  const container = buildah('from', '--pull=never', tag)
  const files = buildah('mount', container)
  try {
    await step('Contents', async (note) => note(inspectImage(files, buildah('inspect', '--type', 'image', tag))))
    await step('Process 1', async (note) => note(await checkProcessOne(files)))
  } finally {
    buildah('umount', container)
    buildah('rm', container)
  }
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

function buildah(...args: readonly string[]): string {
  return run('buildah', '--root', storage, ...args)
}

function run(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new SetupError(`${command} ${args.join(' ')} failed.\n${stdout}${stderr}`)
  return stdout.trim()
}
