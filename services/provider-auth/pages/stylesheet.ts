import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The stylesheet of all pages. */
export const stylesheet = {
  path: '/oauth2/pages.css',
  text: readFileSync(join(import.meta.dirname, 'pages.css'), 'utf8'),
} as const
