import { watch } from 'node:fs'
import { join } from 'node:path'
import { root } from './settings.ts'

/** Editors write a file several times within this time. */
const settleMs = 200
const ignored = /(^|\/)(test|dist|dist-\d+)(\/|$)|\.test\.ts$/

/**
 * Watches the sources in directories of the repository.
 *
 * @param changed receives the path of the last file of several changes in quick succession
 */
export function watchSources(directories: readonly string[], changed: (path: string) => void): Disposable {
  let timer: NodeJS.Timeout | undefined
  const watchers = directories.map((directory) =>
    watch(join(root, directory), { recursive: true }, (_event, file) => {
      if (file === null || ignored.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(() => changed(join(directory, file)), settleMs)
    }),
  )
  return {
    [Symbol.dispose]() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}
