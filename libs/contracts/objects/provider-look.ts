import { z } from 'zod'

/** Of the picture itself, in bytes. */
export const maxLogoBytes = 32_768

/** How much its text must stand out from a button (WCAG 2.2, 1.4.3). */
const minContrast = 4.5

const pngStart = 'data:image/png;base64,iVBORw0KGgo'

/** The logo of a login provider as a data URL: PNG, or SVG, which is reduced to shapes when it is saved. */
export const ProviderLogo = z
  .string()
  .regex(/^data:image\/(png|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/, 'is no data URL of a PNG or SVG')
  .refine((url) => !url.startsWith('data:image/png') || url.startsWith(pngStart), 'is no PNG')
  .refine((url) => decodedBytes(url) <= maxLogoBytes, `is larger than ${maxLogoBytes / 1_024} kB`)

const Color = z.string().regex(/^#[0-9a-f]{6}$/i, 'is no color, e.g. #1a73e8')

const ButtonColors = z
  .strictObject({ background: Color, text: Color, border: Color.optional() })
  .superRefine(({ background, text }, context) => {
    const contrast = contrastOf(background, text)
    if (contrast >= minContrast) return
    const shown = (Math.floor(contrast * 10) / 10).toFixed(1)
    const message = `has a contrast of ${shown}:1 with the background; text needs ${minContrast}:1`
    context.addIssue({ code: 'custom', path: ['text'], message })
  })

/** The colors of a login button on light and dark pages. */
export const ProviderButton = z.strictObject({ light: ButtonColors, dark: ButtonColors.optional() })

function decodedBytes(url: string): number {
  const [, base64 = ''] = url.split(',')
  return Math.floor((base64.replaceAll('=', '').length * 3) / 4)
}

/** The contrast ratio of two colors, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** WCAG 2.2, "relative luminance". */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
