import { Fault, Look, limits, type SiteLook } from '#contracts'
import { transaction } from '#database'
import { toTimestamp } from '#runtime'
import type { Deps, ProviderAuthHandlers } from '../deps.ts'
import { decodePicture, toDataUrl } from '../domain/picture.ts'
import {
  deleteUnusedPictures,
  findDraft,
  findPicture,
  findUnknownPictures,
  insertPicture,
  insertVersion,
  listVersions,
  storeDraft,
} from '../store/site-looks.ts'

type LookHandlers = Pick<
  ProviderAuthHandlers,
  'readLook' | 'addPicture' | 'changeLook' | 'restoreLook' | 'readPicture' | 'previewPage' | 'listPageTexts'
>

const unusable = `is no PNG or JPEG of at most ${limits.picture_bytes / 1_000} kB`

const initialLook: Look = Look.parse({ theme: {}, words: {} })

export const lookHandlers: LookHandlers = {
  readLook: ({ site }, deps) => describeLook(site, deps),

  async addPicture({ site, picture, source_hash }, { knex }) {
    const image = decodePicture(picture)
    if (image === undefined) throw new Fault('invalid_parameter', { fields: [{ field: 'picture', reason: unusable }] })
    return { picture: await insertPicture(knex, { site, ...image, source_hash }) }
  },

  async changeLook({ site, expected_revision, look, publish_by }, deps) {
    const rejectedWords = deps.languages.checkWords(look.words)
    await transaction(deps.knex, async (trx) => {
      const fields = [...rejectedWords, ...(await findUnknownPictures(trx, site, look))]
      if (fields.length > 0) throw new Fault('invalid_parameter', { fields })
      if (!(await storeDraft(trx, { site, draft: look, expected_revision }))) throw new Fault('changed_meanwhile')
      if (publish_by !== undefined) await insertVersion(trx, { site, look, by: publish_by })
      await deleteUnusedPictures(trx, site)
    })
    return describeLook(site, deps)
  },

  async restoreLook({ site, version, expected_revision, by }, deps) {
    await transaction(deps.knex, async (trx) => {
      const before = await findDraft(trx, site, true)
      const earlier = (await listVersions(trx, site)).find((one) => one.version === version)
      if (before === undefined || earlier === undefined) throw new Fault('entity_not_found')
      if (!(await storeDraft(trx, { site, draft: earlier.look, expected_revision })))
        throw new Fault('changed_meanwhile')
      await insertVersion(trx, { site, look: earlier.look, by })
    })
    return describeLook(site, deps)
  },

  async readPicture({ site, picture }, { reader }) {
    const row = await findPicture(reader, picture)
    if (row?.site !== site) throw new Fault('entity_not_found')
    return { picture: toDataUrl(row), source_hash: row.source_hash }
  },

  async previewPage(input, deps, call) {
    const fields = deps.languages.checkWords(input.look.words)
    if (fields.length > 0) throw new Fault('invalid_parameter', { fields })
    return { html: await deps.renderPreview(input, deps, call) }
  },

  async listPageTexts({ language = 'en' }, { languages }) {
    const texts = languages.listTexts(language)
    if (texts === undefined) throw new Fault('invalid_parameter')
    return { languages: [...languages.tags], texts }
  },
}

async function describeLook(site: number, { knex }: Deps): Promise<SiteLook> {
  const [row, versions] = await Promise.all([findDraft(knex, site), listVersions(knex, site)])
  const shown = versions.find(({ version }) => version === row?.published_version)
  const draft = Look.parse(row?.draft ?? initialLook)
  return {
    draft,
    published: shown === undefined ? null : Look.parse(shown.look),
    changed: JSON.stringify(Look.parse(shown?.look ?? initialLook)) !== JSON.stringify(draft),
    published_version: row?.published_version ?? null,
    versions: versions.map(({ version, published_at, published_by }) => ({
      version,
      published_at: toTimestamp(published_at),
      published_by,
    })),
    revision: row?.revision ?? 0,
  }
}
