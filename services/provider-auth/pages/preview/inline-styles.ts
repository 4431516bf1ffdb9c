import type { Theme } from '#contracts'
import { buttonsStylesheet, logosByPath, stylesOfConfigured } from '../buttons/login-buttons.ts'
import type { LoginChoice } from '../buttons/login-choices.ts'
import { buildLookStylesheet } from '../look/stylesheet.ts'
import { stylesheet } from '../stylesheet.ts'

const toDataUrl = (svg: string) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`

/**
 * The styles of a page in one text without references to other files, in light or dark whatever the browser prefers.
 *
 * @param pictures the theme's pictures are data URLs
 */
export function inlineStyles(theme: Theme, choices: readonly LoginChoice[], scheme: 'light' | 'dark'): string {
  const looks = choices.flatMap(({ definition, ...one }) => (definition === null ? [] : [{ ...one, definition }]))
  const styles = [
    stylesheet.text,
    buttonsStylesheet,
    stylesOfConfigured(looks),
    buildLookStylesheet(theme, (picture) => picture),
    `:root { color-scheme: ${scheme}; }`,
  ].join('\n')
  const logoOf = (path: string) => {
    const svg = logosByPath.get(path)
    if (svg !== undefined) return toDataUrl(svg)
    return looks.find(({ login_provider_identifier: id }) => path.includes(`/${id}?`))?.definition.logo ?? ''
  }
  return styles
    .replace(/url\("(\/[^"]+)"\)/g, (_, path: string) => `url("${logoOf(path)}")`)
    .replaceAll('@media (prefers-color-scheme: dark)', scheme === 'dark' ? '@media all' : '@media not all')
}
