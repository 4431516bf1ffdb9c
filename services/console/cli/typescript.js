// Node does not run TypeScript below node_modules, where this code is when the package is installed.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

const own = new URL('../../..', import.meta.url).href

if (own.includes('/node_modules/')) {
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith(own) || !url.endsWith('.ts')) return next(url, context)
      const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
      return { format: 'module', source, shortCircuit: true }
    },
  })
}
