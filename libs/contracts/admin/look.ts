import { z } from 'zod'
import { LanguageTag, Look, PageText, PreviewPage, SiteLook } from '../objects/site-look.ts'
import { Count, Text } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

export { LanguageTag, Look, PageText, SiteLook, Theme, themePictures, Words } from '../objects/site-look.ts'

/** The largest picture that can be sent, before it is encoded again. */
const uploadBytes = 4_000_000
/** What pictures are for: the size that they are reduced to, in pixels, and their maximum length in bytes. Our choice. */
export const pictureUses = {
  logo: { width: 800, height: 400, max_bytes: 150_000, type: 'image/png' },
  favicon: { width: 64, height: 64, max_bytes: 20_000, type: 'image/png' },
  background: { width: 1_920, height: 1_200, max_bytes: 500_000, type: 'image/jpeg' },
} as const
export type PictureUse = keyof typeof pictureUses
// A literal has the keys that its type names.
const PictureUse = z.enum(Object.keys(pictureUses) as PictureUse[])

const PictureId = Text.regex(/^[\w-]{22}$/)

export const adminLookProcedures = adminProcedures({
  readLook: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/look',
    summary: 'How the login pages of a site look: the draft, and what end users see',
    role: 'viewer',
    versioned: true,
    servedBy: 'provider_auth',
    input: SiteReference,
    output: SiteLook,
  },
  saveLook: {
    method: 'PUT',
    path: '/accounts/{account}/sites/{site_id}/look',
    summary: 'Replace the draft of the look, and publish it if you want',
    role: 'editor',
    versioned: true,
    bodyBytes: uploadBytes,
    form: 'look',
    input: SiteReference.extend({ ...Look.shape, publish: z.boolean().default(false) }),
    output: SiteLook,
    faults: { invalid_request: 'A color has too little contrast, a text is invalid, or a picture cannot be used.' },
  },
  restoreLook: {
    method: 'PUT',
    path: '/accounts/{account}/sites/{site_id}/look/published',
    summary: 'Publish an earlier version of the look again',
    role: 'editor',
    versioned: true,
    input: SiteReference.extend({ version: Count }),
    output: SiteLook,
  },
  uploadPicture: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/look/pictures',
    summary: 'Store a picture for the look. It is encoded again, without metadata',
    role: 'editor',
    bodyBytes: uploadBytes,
    help: { picture: 'the picture as a data URL of a PNG or JPEG; a large one with --input' },
    input: SiteReference.extend({
      /** A PNG or JPEG as a data URL. */
      picture: z
        .string()
        .max(uploadBytes)
        .regex(/^data:image\/(?:png|jpeg);base64,/, 'is no PNG or JPEG as a data URL'),
      use: PictureUse,
    }),
    output: z.object({ picture: PictureId }),
    faults: { invalid_request: 'The picture cannot be read, or is too large.' },
  },
  readPicture: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/look/pictures/{picture}',
    summary: 'A picture of the look as a data URL',
    role: 'viewer',
    servedBy: 'provider_auth',
    input: SiteReference.extend({ picture: PictureId }),
    output: z.object({
      picture: z.string(),
      /** SHA-256 of the picture that was uploaded, lower-case hex. */
      source_hash: z.string(),
    }),
  },
  previewLook: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/look/previews',
    summary: 'A login page with a look that is not saved, as HTML. Nothing is stored',
    role: 'viewer',
    readOnly: true,
    help: { page: 'kind of page', error: 'which error page' },
    input: SiteReference.extend({
      ...Look.shape,
      page: PreviewPage,
      error: Text.max(100).optional(),
      language: LanguageTag,
      scheme: z.enum(['light', 'dark']),
    }),
    output: z.object({ html: z.string() }),
  },
  listPageTexts: {
    method: 'GET',
    path: '/page-texts',
    summary: 'The languages of the login pages, and the texts in one of them',
    role: 'member',
    input: z.object({ language: LanguageTag.optional() }),
    output: z.object({ languages: z.array(LanguageTag), texts: z.array(PageText).readonly() }),
    faults: { invalid_request: 'The login pages do not have this language.' },
  },
})
