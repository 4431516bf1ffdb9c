import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const pinned_node = 'node_modules/.bin/node'

/**
 * Whether node_modules holds what package-lock.json names; npm notes there what it has installed. Optional packages
 * (those for other platforms) may be missing.
 *
 * @param {string} root
 */
export function packagesAreInStep(root) {
  const wanted = packagesIn(join(root, 'package-lock.json'))
  const installed = packagesIn(join(root, 'node_modules/.package-lock.json'))
  const all_there = Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    const found = installed[path]
    if (path === '' || (optional && !found)) return true
    return found?.version === version && found?.integrity === integrity
  })
  return all_there && existsSync(join(root, pinned_node))
}

/**
 * @param {string} lock_file
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }>}
 */
function packagesIn(lock_file) {
  return existsSync(lock_file) ? JSON.parse(readFileSync(lock_file, 'utf8')).packages : {}
}
