import { existsSync, globSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { SetupError } from '#local'
import { parseLicenses } from '../build/licenses.ts'
import { Bom } from '../build/materials.ts'
import { programPaths, threadPaths } from '../build/programs.ts'

const mostMegabytes = 160

const Image = z.object({
  OCIv1: z.object({
    config: z.object({
      User: z.string(),
      Entrypoint: z.array(z.string()),
      Labels: z.record(z.string(), z.string()),
    }),
  }),
})

/**
 * Looks at an image without running it.
 *
 * @param files where its file system is mounted
 * @param described what `buildah inspect` says
 * @returns its size in words
 * @throws SetupError with all that is wrong
 */
export function inspectImage(files: string, described: string): string {
  const { config } = Image.parse(JSON.parse(described)).OCIv1
  const bom = Bom.parse(JSON.parse(readFileSync(join(files, 'app/sbom.cdx.json'), 'utf8')))
  const listed = new Set(bom.components.map(({ name, version }) => `${name} ${version}`))
  const contained = parseLicenses(readFileSync(join(files, 'app/third-party-licenses.txt'), 'utf8'))
  const all = globSync('**', { cwd: files }).map((path) => ({ path, stat: lstatSync(join(files, path)) }))
  const there = (pattern: RegExp) => all.filter(({ path }) => pattern.test(path)).map(({ path }) => path)
  const megabytes = all.reduce((sum, { stat }) => sum + (stat.isFile() ? stat.size : 0), 0) / 1_000_000

  const complaints = [
    ...(megabytes <= mostMegabytes ? [] : [`It has ${megabytes.toFixed(0)} MB, more than ${mostMegabytes}.`]),
    ...(/^[1-9]\d*(:\d+)?$/.test(config.User) ? [] : [`Its user is "${config.User}", not a number other than 0.`]),
    ...there(/(^|\/)(sh|bash|dash|busybox|npm|apt|apt-get)$/).map(
      (path) => `It holds a shell or an installer: ${path}`,
    ),
    ...there(/^app\/.*(\.tsx?$|(^|\/)node_modules$)/).map((path) => `It holds what is only for development: ${path}`),
    ...contained.filter((name) => !listed.has(name)).map((name) => `Its bill of materials lacks ${name}.`),
    ...[...listed].filter((name) => !contained.includes(name)).map((name) => `It lacks the license of ${name}.`),
    ...[
      ...[...programPaths, ...threadPaths].flatMap((path) => [path, `${path}.map`]),
      'services/console/web/dist/index.html',
      'services/console/web/dist/sign-in.html',
      'libs/http/api-reference/scalar.js',
    ]
      .filter((path) => !existsSync(join(files, 'app', path)))
      .map((path) => `It lacks ${path}.`),
    ...all
      .filter(({ path, stat }) => path.startsWith('app') && !stat.isSymbolicLink() && (stat.mode & 0o022) !== 0)
      .map(({ path }) => `Users other than its owner can write to ${path}.`),
    ...['title', 'description', 'version', 'revision', 'licenses']
      .filter((label) => !config.Labels[`org.opencontainers.image.${label}`])
      .map((label) => `It lacks the label org.opencontainers.image.${label}.`),
  ]
  if (complaints.length > 0)
    throw new SetupError(`The image violates its requirements:\n  ${complaints.slice(0, 20).join('\n  ')}`)
  return `${megabytes.toFixed(0)} MB, ${contained.length} packages`
}
