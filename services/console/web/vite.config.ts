import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { contract } from './contract-plugin.ts'
import { documentation } from './documentation-plugin.ts'
import { messages } from './messages-plugin.ts'
import { quickStarts } from './quick-starts-plugin.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [contract(), messages(), quickStarts(), documentation()],
  /** Always build for production. */
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  resolve: { conditions: ['module', 'browser', 'production'] },
  oxc: { jsx: { runtime: 'automatic', development: false } },
  /** The service replaces the placeholder with the nonce of each response. */
  html: { cspNonce: '{{csp_nonce}}' },
  build: {
    target: 'es2023',
    /** The Content Security Policy does not allow `data:` URLs. */
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What most pages use is one file, which compresses better than one for each combination of pages.
      output: {
        codeSplitting: {
          groups: [
            // The reader of import files needs it as well, and nothing else of the pages.
            { name: 'spreadsheet-text', test: /spreadsheet-text/, priority: 1 },
            { name: 'shared', minShareCount: 12 },
          ],
        },
      },
      // Of the contract, whose modules only define data, a page contains what it uses.
      treeshake: { moduleSideEffects: (id) => !id.includes('/libs/contracts/') },
      // `use client` has no effect without server rendering.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
})
