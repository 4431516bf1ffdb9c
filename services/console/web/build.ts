import { globSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const dist = join(import.meta.dirname, 'dist')
/** What the pages are made of: their own files, the contract, the libraries. */
const sources = ['services/console/web/**/*.*', 'libs/{contracts,messages}/**/*.ts', 'package-lock.json']

/** Whether there are no built pages, or older ones than what they are made of. */
export function isStale(): boolean {
  const built = statSync(join(dist, 'index.html'), { throwIfNoEntry: false })?.mtimeMs
  if (built === undefined) return true
  const files = globSync(sources, { cwd: root, exclude: (path) => /(^|\/)dist(-\d+)?($|\/)/.test(path) })
  return files.some((file) => statSync(join(root, file)).mtimeMs > built)
}

/** Builds the pages of the web console into `dist`: beside it first, so that no half of them is ever served. */
export async function buildPages(): Promise<void> {
  const { build } = await import('vite')
  const temporary = `${dist}-${process.pid}`
  try {
    await build({
      configFile: join(import.meta.dirname, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: temporary },
    })
    rmSync(dist, { recursive: true, force: true })
    renameSync(temporary, dist)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    // Another process that builds the same was faster.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error
  }
}

if (import.meta.main) await buildPages()
