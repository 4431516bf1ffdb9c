import { SetupError } from '#local'
import { createStep } from '../local/progress.ts'
import { buildah, buildImage, canBuildImages } from './build-image.ts'
import { inspectImage } from './inspect.ts'
import { checkProcessOne } from './process-one.ts'

/**
 * `npm run check:image [-- --upstream]`: builds the image of deploy/Dockerfile by buildah and holds it against what it
 * promises. Replaces its base images by images made of this machine's files, or, with `--upstream`, uses the real ones.
 */
const upstream = process.argv.includes('--upstream')
const tag = 'localhost/social-login:check'

const step = createStep(new AbortController().signal)
try {
  if (!canBuildImages()) {
    console.error('SKIPPED: the image was not checked. It requires buildah (apt install buildah) and root.')
    process.exit(0)
  }
  await buildImage(step, { tag, upstream })
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
