import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const moduleName = 'virtual:documentation'
const directory = join(import.meta.dirname, '../../../docs')

/** Provides paths and titles of the pages of the documentation for customers, so that the search finds them. */
export function documentation(): Plugin {
  return {
    name: 'documentation',
    resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
    load(id) {
      if (id !== `\0${moduleName}`) return undefined
      const files = globSync(['use/**/*.md', 'ja/use/*.md'], { cwd: directory }).sort()
      for (const file of files) this.addWatchFile(join(directory, file))
      return `export const documentation = ${JSON.stringify(files.map(readPage))}`
    },
  }
}

function readPage(file: string) {
  const text = readFileSync(join(directory, file), 'utf8')
  const path = file.replace(/README\.md$/, 'index.md').replace(/\.md$/, '')
  const [, title = path] = /^# (.+)$/m.exec(text) ?? []
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading)
  return { path, language: file.startsWith('ja/') ? 'ja' : 'en', title, headings }
}
