import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { LanguageTag, Look, PageText, PreviewPage, SiteLook } from '../objects/site-look.ts'
import { Count, Site, Slug, Text } from '../scalars.ts'

const publishing = { site: Site, expected_revision: Count, by: Text.min(1) }

/** How the login pages of sites look: drafts, published versions, previews and texts. */
export const lookProcedures = {
  readLook: { input: z.object({ site: Site }), output: SiteLook, faults: [], repeatable: true },
  /**
   * Replaces the draft. Pictures as data URLs are stored; those that neither the draft nor a version has any more are deleted.
   * `invalid_parameter`: a text has an unknown key, language or parameter, or a picture is unknown or too large.
   */
  changeLook: {
    input: z.object({ site: Site, expected_revision: Count, look: Look }),
    output: SiteLook,
    faults: ['changed_meanwhile', 'invalid_parameter'],
  },
  /** Publishes the draft as the next version. */
  publishLook: { input: z.object(publishing), output: SiteLook, faults: ['changed_meanwhile'] },
  /** Publishes an earlier version again, as the next version and as the draft. */
  restoreLook: {
    input: z.object({ ...publishing, version: Count }),
    output: SiteLook,
    faults: ['changed_meanwhile', 'entity_not_found'],
  },
  /** A picture of a theme as a data URL. */
  readPicture: {
    input: z.object({ site: Site, picture: Text.max(22) }),
    output: z.object({ picture: z.string() }),
    faults: ['entity_not_found'],
    repeatable: true,
  },
  /** A page with sample data as a document without references to other files. Nothing is stored. */
  previewPage: {
    input: z.object({
      site: Site,
      account: Slug,
      site_id: Slug,
      look: Look,
      page: PreviewPage,
      /** The text of `error`. */
      error: Text.max(100).optional(),
      language: LanguageTag,
      scheme: z.enum(['light', 'dark']),
    }),
    output: z.object({ html: z.string() }),
    faults: ['invalid_parameter'],
    repeatable: true,
  },
  /** The languages of the pages, and our texts in one of them; English without it. */
  listPageTexts: {
    input: z.object({ language: LanguageTag.optional() }),
    output: z.object({ languages: z.array(LanguageTag), texts: z.array(PageText).readonly() }),
    faults: ['invalid_parameter'],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>
