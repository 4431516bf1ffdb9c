import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { SetupError } from '#local'
import { root } from '../local/settings.ts'
import { findOrBuild } from '../tools/find-or-build.ts'
import { chart } from './installations.ts'
import { runCheck } from './run-program.ts'

/** Every image that rendered objects name, jobs and test pods included, each once. */
export function imagesOf(rendered: string): readonly string[] {
  const named = [...rendered.matchAll(/^\s*(?:- )?image: *"?([^"\s]+)"?$/gm)].map(([, image = '']) => image)
  return [...new Set(named)].sort()
}

const ChartFile = z.object({ annotations: z.object({ 'artifacthub.io/images': z.string() }) })
const Listed = z.array(z.object({ name: z.string(), image: z.string() }))

/** Images that Chart.yaml lists, without the registry, which differs between installations. */
export function readListedImages(): readonly string[] {
  const { annotations } = ChartFile.parse(parse(readFileSync(join(root, chart, 'Chart.yaml'), 'utf8')))
  return Listed.parse(parse(annotations['artifacthub.io/images'])).map(({ image }) => image)
}

/** `npm run chart:images -- <values file>…`: prints the images of an installation, a line each, for a mirror to fetch. */
if (import.meta.main) {
  try {
    const files = process.argv.slice(2).map((file) => resolve(process.env.INIT_CWD ?? '.', file))
    if (files.length === 0) throw new SetupError('Usage: npm run chart:images -- <values file>…')
    const helm = await findOrBuild('helm', { note: (text) => console.error(text) })
    const values = files.flatMap((file) => ['--values', file])
    for (const image of imagesOf(await runCheck(helm, ['template', 'social-login', chart, ...values])))
      console.log(image)
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
