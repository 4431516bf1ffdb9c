import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { LanguageTag, Look, PageText, PreviewPage, SiteLook } from '../objects/site-look.ts'
import { Count, Sha256, Site, Slug, Text } from '../scalars.ts'

/** How the login pages of sites look: drafts, published versions, previews and texts. */
export const lookProcedures = {
  readLook: { input: z.object({ site: Site }), output: SiteLook, faults: [], repeatable: true },
  /** Stores a picture for a draft that will have it. `source_hash` is that of the picture before it was encoded. */
  addPicture: {
    input: z.object({ site: Site, picture: Text, source_hash: Sha256 }),
    output: z.object({ picture: Text }),
    faults: ['invalid_parameter'],
  },
  /**
   * Replaces the draft, and publishes it if `publish_by` is given. Pictures that neither the draft nor a version has any more are
   * deleted. `invalid_parameter`: a text has an unknown key, language or parameter, or a picture is not stored.
   */
  changeLook: {
    input: z.object({ site: Site, expected_revision: Count, look: Look, publish_by: Text.min(1).optional() }),
    output: SiteLook,
    faults: ['changed_meanwhile', 'invalid_parameter'],
  },
  /** Publishes an earlier version again, as the next version and as the draft. */
  restoreLook: {
    input: z.object({ site: Site, expected_revision: Count, by: Text.min(1), version: Count }),
    output: SiteLook,
    faults: ['changed_meanwhile', 'entity_not_found'],
  },
  /** A picture of a theme as a data URL. */
  readPicture: {
    input: z.object({ site: Site, picture: Text.max(22) }),
    output: z.object({ picture: Text, source_hash: Sha256 }),
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
