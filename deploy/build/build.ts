import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildPages, isStale } from '../../services/console/web/build.ts'
import { root } from '../local/settings.ts'
import { bundlePrograms } from './bundle.ts'
import { type BundledPackage, findPackages } from './licenses.ts'
import { writeMaterials } from './materials.ts'
import { apiReferenceScript, programPaths, readFiles, threadPaths } from './programs.ts'

/** The directory of `npm run build`. */
export const dist = join(root, 'dist')

/**
 * Builds what runs in the image, except Node.js: the bundled programs and the files that they read. Builds into a temporary
 * directory first, so that an incomplete build never runs.
 *
 * @returns the packages in the bundles
 */
export async function buildPrograms(directory: string): Promise<readonly BundledPackage[]> {
  const temporary = `${directory}-${process.pid}`
  try {
    rmSync(temporary, { recursive: true, force: true })
    const packages = findPackages(await bundlePrograms(temporary, [...programPaths, ...threadPaths]))
    for (const file of globSync([...readFiles], { cwd: root, withFileTypes: false })) copy(file, temporary)
    copy(apiReferenceScript, temporary, 'libs/http/api-reference/scalar.js')
    writeFileSync(join(temporary, 'package.json'), createManifest())
    rmSync(directory, { recursive: true, force: true })
    renameSync(temporary, directory)
    return packages
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function copy(file: string, directory: string, target = file): void {
  const path = join(directory, target)
  mkdirSync(dirname(path), { recursive: true })
  cpSync(join(root, file), path, { recursive: true })
}

/** Node.js reads the type of the modules in it, and the programs their version. */
function createManifest(): string {
  const { name, version, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return `${JSON.stringify({ name, version, private: true, type }, undefined, 2)}\n`
}

if (import.meta.main) {
  if (isStale()) await buildPages()
  const packages = await writeMaterials(dist, await buildPrograms(dist))
  console.log(`${programPaths.length} programs, the pages and Node.js, with ${packages.length} packages, in ${dist}`)
}
