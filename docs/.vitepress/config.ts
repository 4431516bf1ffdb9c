import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { writeApiReferences } from './api-references.ts'
import { japaneseSearch, japaneseTheme } from './japanese.ts'
import { rewriteLinks } from './links.ts'
import { createSidebar } from './sidebar.ts'
import { findSitePath, otherFiles, repository } from './site-paths.ts'

const base = process.env.DOCS_BASE ?? '/'
const repositoryUrl = process.env.REPOSITORY_URL

const generated = join(import.meta.dirname, 'generated')
writeApiReferences(generated, base)

export default defineConfig({
  title: 'Social login',
  description: 'Documentation of the social login service',
  base,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}reference/icon.svg` }]],
  srcDir: repository,
  srcExclude: [...otherFiles],
  // Addresses of a service that the reader started.
  ignoreDeadLinks: 'localhostLinks',
  rewrites: (file) => findSitePath(file) ?? file,
  vite: { publicDir: generated, build: { chunkSizeWarningLimit: 1500 } },
  markdown: {
    // The anchors of Git hosts, so that a link with an anchor works in both places.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}_\s-]/gu, '')
          .replaceAll(' ', '-'),
    },
    config: (md) => rewriteLinks(md, { base, repositoryUrl }),
  },
  locales: {
    root: { label: 'English', lang: 'en' },
    ja: { label: '日本語', lang: 'ja', link: '/ja/', themeConfig: japaneseTheme },
  },
  themeConfig: {
    nav: [
      { text: 'Use it', link: '/use/', activeMatch: '^/use/' },
      { text: 'Operate it', link: '/operate/', activeMatch: '^/operate/' },
      { text: 'Build it', link: '/build/', activeMatch: '^/build/' },
    ],
    sidebar: createSidebar(),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        locales: { ja: japaneseSearch },
        miniSearch: {
          // Words of Japanese text have no spaces between them.
          options: {
            tokenize: (text) =>
              [...new Intl.Segmenter('ja', { granularity: 'word' }).segment(text)].flatMap(({ segment, isWordLike }) =>
                isWordLike === true ? [segment] : [],
              ),
          },
        },
      },
    },
  },
})
