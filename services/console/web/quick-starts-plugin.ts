import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'
import type { QuickStart } from './pages/overview/quick-start.ts'

const moduleName = 'virtual:quick-starts'
const directory = join(import.meta.dirname, '../../../docs/use/quick-starts')

/** Provides the quick starts of the documentation that add a login: their files, so that the console can fill in a site's values. */
export function quickStarts(): Plugin {
  return {
    name: 'quick-starts',
    resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
    load(id) {
      if (id !== `\0${moduleName}`) return undefined
      const pages = globSync('*.md', { cwd: directory, exclude: ['README.md', 'webhooks-*.md'] }).sort()
      for (const page of pages) this.addWatchFile(join(directory, page))
      return `export const quickStarts = ${JSON.stringify(pages.map(readQuickStart))}`
    },
  }
}

function readQuickStart(page: string): QuickStart {
  const text = readFileSync(join(directory, page), 'utf8')
  const [, title = page] = /^# Quick start: (.+)$/m.exec(text) ?? []
  const files = [...text.matchAll(/^```(\w+) \[(.+)\]\n([\s\S]*?)\n```$/gm)].map(([, , name = '', content = '']) => ({
    name,
    content,
  }))
  return { slug: basename(page, '.md'), title, files }
}
