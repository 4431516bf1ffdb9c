import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const pinnedNode = 'node_modules/.bin/node'

/**
 * Whether node_modules contains what package-lock.json lists, by npm's record of what it installed. Optional packages (those for
 * other platforms) may be missing.
 *
 * @param {string} root
 */
export function arePackagesInstalled(root) {
  const wanted = packagesIn(join(root, 'package-lock.json'))
  const installed = packagesIn(join(root, 'node_modules/.package-lock.json'))
  const allThere = Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const found = installed[path]
    if (path === '' || (optional && !found)) return true
    return found?.version === version && found?.integrity === integrity
  })
  const hasPinnedNode = !('node_modules/node' in wanted) || existsSync(join(root, pinnedNode))
  return allThere && hasPinnedNode
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }>}
 */
function packagesIn(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : {}
}
