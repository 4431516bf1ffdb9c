import { relative } from 'node:path'
import type { Plugin } from 'vite'
import { compileCatalogue } from '#messages'

/** Compiles the messages at build time, so that browsers do not load a parser of ICU MessageFormat. */
export function messages(): Plugin {
  return {
    name: 'messages',
    enforce: 'pre',
    transform: {
      filter: { id: /\/web\/texts\/.*\.json$/ },
      handler: (source, id) => JSON.stringify(compileCatalogue(JSON.parse(source), relative(process.cwd(), id))),
    },
  }
}
