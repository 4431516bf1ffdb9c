import { contrastOf, type Palette, type Theme, type themeFonts } from '#contracts'

/** The address of a picture of a theme, for `url()`. */
type AddressOf = (picture: string) => string

/** The stylesheet of a theme, after that of all pages. */
export function buildLookStylesheet(theme: Theme, addressOf: AddressOf): string {
  const { light, dark, radius, font, background } = theme
  const picture =
    background === null ? '' : `\n  background: var(--page) url("${addressOf(background)}") center / cover no-repeat;`
  // The name stands out from any picture.
  const header =
    background === null
      ? ''
      : 'header { padding: 0.5rem 1rem; border-radius: var(--radius); background: var(--page); }\n'
  return `:root {
  --radius: ${radius}px;
  --font: ${fontFamilies[font]};
${declare(light)}
}
@media (prefers-color-scheme: dark) {
  :root {
${declare(dark)}
  }
}
main,
main.problem {
  max-width: ${widths[theme.card_width]};
  border-top: 1px solid var(--line);
}
.login-button, button, .forward a { border-radius: var(--radius); }
.login-button { font-family: var(--font); }
@media (min-width: 48rem) {
  body {
    align-items: ${positions[theme.card_position]};
    padding-inline: 6vw;${picture}
  }
}
${header}`
}

const widths = { narrow: '24rem', medium: '32rem', wide: '40rem' } as const
const positions = { start: 'flex-start', center: 'center', end: 'flex-end' } as const

/** Fonts that devices have, for Latin text; other scripts use the device's own. */
const fontFamilies: Readonly<Record<(typeof themeFonts)[number], string>> = {
  system: 'system-ui, -apple-system, "Segoe UI", Roboto, "Hiragino Sans", "Noto Sans JP", sans-serif',
  humanist: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", source-sans-pro, sans-serif',
  geometric: 'Avenir, Montserrat, Corbel, "URW Gothic", source-sans-pro, sans-serif',
  rounded:
    'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, "Arial Rounded MT Bold", sans-serif',
  serif:
    '"Iowan Old Style", "Palatino Linotype", "URW Palladio L", "Hiragino Mincho ProN", "Noto Serif JP", P052, serif',
  monospace: 'ui-monospace, "Cascadia Code", "Source Code Pro", Menlo, Consolas, "DejaVu Sans Mono", monospace',
}

/** The properties of a palette, with the colors that are derived from it. */
function declare({ page, card, text, accent }: Palette): string {
  const quiet = deriveQuiet(text, [card, page])
  const colors = { page, card, text, go: accent, 'on-go': textOn(accent), quiet, line: mix(text, card, 0.16) }
  return Object.entries(colors)
    .map(([name, color]) => `    --${name}: ${color};`)
    .join('\n')
}

/** Black or white, whichever stands out more: at least 4.58:1 on any color. */
export function textOn(background: string): string {
  return contrastOf('#000000', background) > contrastOf('#ffffff', background) ? '#000000' : '#ffffff'
}

/** A quieter color than the text that still has a contrast of 4.5:1 with the backgrounds (WCAG 2.2, 1.4.3). */
function deriveQuiet(text: string, backgrounds: readonly [string, ...string[]]): string {
  const [background] = backgrounds
  for (let share = 0.66; share < 1; share += 0.04) {
    const color = mix(text, background, share)
    if (backgrounds.every((one) => contrastOf(color, one) >= 4.5)) return color
  }
  return text
}

/** @param share of the first color, 0 to 1 */
function mix(one: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((start) => {
    const value = Number.parseInt(one.slice(start, start + 2), 16) * share
    return Math.round(value + Number.parseInt(other.slice(start, start + 2), 16) * (1 - share))
  })
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
