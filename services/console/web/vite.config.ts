import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { contract } from './contract-plugin.ts'
import { messages } from './messages-plugin.ts'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [contract(), messages()],
  /** Whoever builds, the pages are those of production. */
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  resolve: { conditions: ['module', 'browser', 'production'] },
  oxc: { jsx: { runtime: 'automatic', development: false } },
  /** The service puts each answer's nonce in its place. */
  html: { cspNonce: '{{csp_nonce}}' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    /** No `data:` addresses: the policy admits none. */
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // `use client` is for servers that render pages; here is none.
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
})
