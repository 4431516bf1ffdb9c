import { z } from 'zod'
import { Count, Text, Timestamp } from '../scalars.ts'
import { contrastOf } from './provider-look.ts'

/** A BCP 47 tag of a page's language, e.g. `ja` or `pt-BR`. */
export const LanguageTag = Text.regex(
  /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/,
  'must be a language such as ja or pt-BR',
)

const Color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'is no color, e.g. #1a73e8')
  .toLowerCase()

/** How much text, and marks such as the border of a focused button, must stand out (WCAG 2.2, 1.4.3 and 1.4.11). */
const textContrast = 4.5
const markContrast = 3

/** The colors of light or dark pages. The text on the accent and quieter texts are derived. */
const Palette = z
  .strictObject({
    /** Behind the card. */
    page: Color,
    card: Color,
    text: Color,
    /** Main buttons, links and the focused element. */
    accent: Color,
  })
  .superRefine(({ page, card, text, accent }, context) => {
    const require = (path: string, on: string, color: string, background: string, minimum: number) => {
      const contrast = contrastOf(color, background)
      if (contrast >= minimum) return
      const shown = (Math.floor(contrast * 10) / 10).toFixed(1)
      const message = `has a contrast of ${shown}:1 with ${on}; it needs ${minimum}:1`
      context.addIssue({ code: 'custom', path: [path], message })
    }
    require('text', 'the card', text, card, textContrast)
    require('text', 'the page', text, page, textContrast)
    require('accent', 'the card', accent, card, markContrast)
  })
export type Palette = z.infer<typeof Palette>

/** Fonts that devices have, so that nothing is downloaded. */
export const themeFonts = ['system', 'humanist', 'geometric', 'rounded', 'serif', 'monospace'] as const

/** The ID of a stored picture, or a picture as a data URL, which is stored when the theme is saved. */
const Picture = z
  .string()
  .regex(
    /^(?:[\w-]{22}|data:image\/(?:png|jpeg);base64,[A-Za-z0-9+/]+={0,2})$/,
    'is neither a PNG or JPEG as a data URL nor the ID of a stored picture',
  )
  .nullable()

/** A link in the footer; `{language}` stands for the language of the page. */
const FooterLink = z
  .string()
  .max(2_048)
  .refine(
    (text) => isWebAddress(text.replaceAll('{language}', 'en')),
    'must be an address that begins with https:// or mailto:',
  )
  .nullable()

function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'mailto:') && !/[\s"'<>\\^`{|}]/.test(text)
}

const defaultLight = { page: '#f4f5f7', card: '#ffffff', text: '#1b1f24', accent: '#1a56b0' }
const defaultDark = { page: '#14171a', card: '#1e2226', text: '#eceef0', accent: '#8ab4f8' }

/** How the login pages of a site look. */
export const Theme = z.strictObject({
  light: Palette.default(defaultLight),
  dark: Palette.default(defaultDark),
  /** What is above the card. */
  header: z.enum(['name', 'logo', 'logo_and_name', 'none']).default('name'),
  logo: Picture.default(null),
  /** On dark pages; without it, the same as on light ones. */
  logo_dark: Picture.default(null),
  favicon: Picture.default(null),
  /** Behind the card; on narrow screens only its color is shown. */
  background: Picture.default(null),
  /** Of cards and buttons, in pixels. */
  radius: z.int().min(0).max(24).default(8),
  font: z.enum(themeFonts).default('system'),
  card_position: z.enum(['start', 'center', 'end']).default('center'),
  card_width: z.enum(['narrow', 'medium', 'wide']).default('medium'),
  buttons: z.enum(['list', 'grid']).default('list'),
  /** The buttons after this many are behind "more"; null: none. */
  more_after: z.int().min(1).max(20).nullable().default(null),
  /** Whether the provider that the browser logged in with last is the first button. */
  last_used_first: z.boolean().default(false),
  terms_url: FooterLink.default(null),
  privacy_url: FooterLink.default(null),
  support_url: FooterLink.default(null),
  imprint_url: FooterLink.default(null),
})
export type Theme = z.infer<typeof Theme>

/** The fields of a theme that are pictures. */
export const themePictures = ['logo', 'logo_dark', 'favicon', 'background'] as const

/** Texts that replace ours, by language and key, in ICU MessageFormat. */
export const Words = z.record(LanguageTag, z.record(z.string().max(100), Text.trim().min(1).max(1_000)))
export type Words = z.infer<typeof Words>

/** What a site changes of its login pages. */
export const Look = z.strictObject({ theme: Theme, words: Words })
export type Look = z.infer<typeof Look>

/** A look that was published. */
const LookVersion = z.object({
  version: Count,
  published_at: Timestamp,
  /** The member or token that published it. */
  published_by: z.string(),
})

/** The look of a site with its history. */
export const SiteLook = z.object({
  /** What is shown in previews, and is published next. */
  draft: Look,
  /** What end users see; null: our own look. */
  published: Look.nullable(),
  /** Whether the draft differs from what end users see. */
  changed: z.boolean(),
  /** The version of what end users see. */
  published_version: Count.nullable(),
  /** The newest first. */
  versions: z.array(LookVersion),
  /** Of the draft. */
  revision: Count,
})
export type SiteLook = z.infer<typeof SiteLook>

/** Pages that end users can see, with sample data. */
export const previewPages = [
  'choice',
  'confirmation',
  'logout',
  'logged_out',
  'form_post',
  'deletion',
  'account',
  'terms',
  'error',
] as const
export const PreviewPage = z.enum(previewPages)
export type PreviewPage = z.infer<typeof PreviewPage>

/** A text of the pages in a language. */
export const PageText = z.object({
  key: z.string(),
  /** Our text. */
  text: z.string(),
  /** Names that it has in braces. */
  parameters: z.array(z.string()),
})
export type PageText = z.infer<typeof PageText>
