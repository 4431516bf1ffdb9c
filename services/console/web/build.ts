import { globSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const dist = join(import.meta.dirname, 'dist')
/** Sources of the pages: their own files, the contract, the libraries. */
const sources = [
  'services/console/web/**/*.*',
  'services/console/{import-files/**/*.ts,input-problems.ts}',
  'libs/{contracts,messages}/**/*.ts',
  'docs/{use,ja/use}/**/*.md',
  'package-lock.json',
]

/** The documents, each with a build of its own: what one loads does not depend on what the other uses. */
const entries = ['index', 'sign-in'] as const

/** The packages in each document, with their licenses, as Vite writes them. */
export const packageLists = entries.map((entry) => join(dist, `.vite/${entry}.licenses.json`))

/** Whether the build is missing or older than its sources. */
export function isStale(): boolean {
  const built = statSync(join(dist, 'index.html'), { throwIfNoEntry: false })?.mtimeMs
  if (built === undefined) return true
  const files = globSync(sources, { cwd: root, exclude: (path) => /(^|\/)dist(-\d+)?($|\/)/.test(path) })
  return files.some((file) => statSync(join(root, file)).mtimeMs > built)
}

/** Builds the web console into a temporary directory, then renames it to `dist`, so that an incomplete build is never served. */
export async function buildPages(): Promise<void> {
  const { build } = await import('vite')
  const temporary = `${dist}-${process.pid}`
  const beganAt = new Date()
  try {
    for (const entry of entries) {
      await build({
        configFile: join(import.meta.dirname, 'vite.config.ts'),
        logLevel: 'warn',
        build: {
          outDir: temporary,
          emptyOutDir: false,
          manifest: `.vite/${entry}.json`,
          license: { fileName: `.vite/${entry}.licenses.json` },
          rolldownOptions: { input: join(import.meta.dirname, `${entry}.html`) },
        },
      })
    }
    // A source that changed since may not be in the build.
    utimesSync(join(temporary, 'index.html'), beganAt, beganAt)
    rmSync(dist, { recursive: true, force: true })
    renameSync(temporary, dist)
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true })
    // Another process has finished the same build.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error
  }
}

if (import.meta.main) await buildPages()
