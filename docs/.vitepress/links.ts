import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { MarkdownOptions } from 'vitepress'
import { findSitePath, repository } from './site-paths.ts'

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0]
type Token = ReturnType<MarkdownIt['parse']>[number]

interface Site {
  /** Path of the site on its host, such as `/docs/`. */
  readonly base: string
  /** Address of the repository's files on a Git host, such as `https://git.example.com/social-login/blob/main`. */
  readonly repositoryUrl: string | undefined
}

/**
 * Links in the sources are relative paths of the repository, so they also work on a Git host. Links to pages become links of
 * the site. Links to other files lead to `repositoryUrl`, or become plain
 * text without it.
 */
export function rewriteLinks(md: MarkdownIt, site: Site): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens) rewriteLinksOf(token.children ?? [], dirname(env.realPath ?? env.path), site)
  })
}

function rewriteLinksOf(tokens: readonly Token[], directory: string, { base, repositoryUrl }: Site): void {
  let textOnly = false
  for (const token of tokens) {
    if (token.type === 'link_close' && textOnly) {
      token.tag = 'span'
      textOnly = false
    }
    const target = token.type === 'link_open' ? token.attrGet('href') : null
    if (target === null || /^(?:[a-z]+:|#|\/)/.test(target)) continue
    const [path = '', heading] = decodeURI(target).split('#')
    const file = relative(repository, join(directory, path))
    const sitePath = findSitePath(pageOf(file))
    if (sitePath?.endsWith('.html')) {
      token.attrs = [
        ['href', `${base}${sitePath}`],
        ['target', '_blank'],
      ]
    } else if (sitePath !== undefined)
      token.attrSet('href', `/${sitePath}${heading === undefined ? '' : `#${heading}`}`)
    else if (repositoryUrl !== undefined) token.attrSet('href', `${repositoryUrl}/${file}`)
    else {
      token.tag = 'span'
      token.attrs = [['title', `${file} in the repository`]]
      textOnly = true
    }
  }
}

/** The page that a Git host shows for a path: a directory's README. */
function pageOf(file: string): string {
  const path = join(repository, file)
  return existsSync(path) && statSync(path).isDirectory() ? join(file, 'README.md') : file
}
