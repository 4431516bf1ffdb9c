import { execFile } from 'node:child_process'
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { packageLists } from '../../services/console/web/build.ts'
import { root } from '../local/settings.ts'
import { type BundledPackage, findPackages, formatLicenses, readPackages, sortPackages } from './licenses.ts'
import { apiReferenceScript } from './programs.ts'

/** A bill of materials, as far as it is read here (CycloneDX 1.5). */
export const Bom = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(z.looseObject({ 'bom-ref': z.string(), name: z.string(), version: z.string() })),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
})

/**
 * Writes what the image contains of others: `third-party-licenses.txt`, and `sbom.cdx.json` (CycloneDX). Requires the
 * pages.
 *
 * @param directory of the programs
 * @param bundled the packages in the programs
 * @returns all packages: in the programs, the pages and the API reference, and Node.js
 * @throws Error if npm cannot list the installed packages, or Node.js is not one of them
 */
export async function writeMaterials(
  directory: string,
  bundled: readonly BundledPackage[],
): Promise<readonly BundledPackage[]> {
  // The package `node` installs the one of the platform, which has the program and its license.
  const node = globSync('node_modules/node/node_modules/node-*/LICENSE', { cwd: root })
  if (node.length === 0) throw new Error('The license of Node.js is missing in node_modules/node.')
  const others = findPackages([apiReferenceScript, ...node].map((path) => join(root, path)))
  const packages = sortPackages([...bundled, ...packageLists.flatMap(readPackages), ...others])
  writeFileSync(join(directory, 'third-party-licenses.txt'), formatLicenses(packages))
  writeFileSync(join(directory, 'sbom.cdx.json'), `${JSON.stringify(await createBom(packages), undefined, 2)}\n`)
  return packages
}

/** Reduces npm's list of all installed packages, most of which are for development. */
async function createBom(packages: readonly BundledPackage[]): Promise<z.output<typeof Bom>> {
  // The packages of the pages are installed for development. npm would omit them when NODE_ENV is production.
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--include=dev']
  const { stdout } = await promisify(execFile)('npm', ['sbom', ...options], { cwd: root, maxBuffer: 2 ** 26 })
  const { components, dependencies, metadata, ...bom } = Bom.parse(JSON.parse(stdout))
  const contained = new Set(packages.map(({ name, version }) => `${name} ${version}`))
  const kept = components
    .filter(({ name, version }) => contained.has(`${name} ${version}`))
    // Whether it is installed for development only.
    .map((component) => ({ ...component, properties: [] }))
  const references = new Set([metadata.component['bom-ref'], ...kept.map((component) => component['bom-ref'])])
  return {
    ...bom,
    // npm names it after the directory.
    metadata: { ...metadata, component: { ...metadata.component, name: 'social-login' } },
    components: kept,
    dependencies: dependencies
      .filter(({ ref }) => references.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => references.has(other)) })),
  }
}
