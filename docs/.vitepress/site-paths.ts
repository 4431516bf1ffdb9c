import { globSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

/** The directory of the repository, with a slash at its end. */
export const repository = join(import.meta.dirname, '../..')

/** Pages outside `docs` that belong to the site. */
const otherPages: Readonly<Record<string, string>> = {
  'CONTRIBUTING.md': 'build/contributing.md',
  'SECURITY.md': 'build/security.md',
  'charts/social-login/README.md': 'operate/chart.md',
  'charts/social-login/UPGRADING.md': 'operate/chart-upgrades.md',
  'docs/examples/shop/README.md': 'use/demo-shop.md',
}

const pageGlobs = ['docs/**/*.md', '{libs,services}/*/README.md', 'testing/README.md', ...Object.keys(otherPages)]
const options = { cwd: repository, exclude: ['**/node_modules/**', '.local/**'] }

/** The Markdown files of the repository that are pages of the site. */
export const pageFiles: readonly string[] = globSync(pageGlobs, options).sort()
/** The Markdown files that are not. */
export const otherFiles: readonly string[] = globSync('**/*.md', options).filter((file) => !pageFiles.includes(file))

/**
 * The path on the site of a file of the repository, both without a leading slash: `use/concepts.md` for
 * `docs/use/concepts.md`. Files that are not on the site have none.
 */
export function findSitePath(file: string): string | undefined {
  if (file in otherPages) return otherPages[file]
  const [, module] = /^(?:libs|services|(?=testing))\/?([\w-]+)\/README\.md$/.exec(file) ?? []
  if (module !== undefined) return `build/modules/${module}.md`
  if (file === 'README.md' || file === 'docs/index.md') return 'index.md'
  const apiName = /^docs\/(web|admin)-api\.openapi\.json$/.exec(file)?.[1]
  if (apiName !== undefined) return `reference/${apiName}-api.html`
  if (!file.startsWith('docs/')) return undefined
  if (file.endsWith('/README.md')) return join(dirname(file), 'index.md').slice('docs/'.length)
  return file.endsWith('.md') ? file.slice('docs/'.length) : undefined
}
