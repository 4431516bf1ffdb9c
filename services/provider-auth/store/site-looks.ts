import type { Knex } from 'knex'
import { Look, limits, type RejectedField, themePictures } from '#contracts'
import { defineStatement, type Executor } from '#database'
import { newToken } from '#runtime'

/** What end users of a site see. */
export interface PublishedLook extends Look {
  /** In addresses of the stylesheet. */
  readonly look_id: string
  readonly version: number
}

const selectPublished = defineStatement<{ look_id: string; version: number; look: Look }>(
  `select look_id, version, look from site_looks join site_look_versions using (site)
   where site = $1 and version = published_version`,
)

/** Undefined if the site has published none. */
export async function findPublishedLook(executor: Executor, site: number): Promise<PublishedLook | undefined> {
  const [row] = (await selectPublished(executor, [site])).rows
  // A field that was added later has its default.
  return row && { look_id: row.look_id, version: row.version, ...Look.parse(row.look) }
}

const selectVersion = defineStatement<{ look: Look }>(
  `select look from site_looks join site_look_versions using (site) where look_id = $1 and version = $2`,
)

/** A version of a look by the ID in addresses. */
export async function findLookVersion(executor: Executor, lookId: string, version: number): Promise<Look | undefined> {
  const [row] = (await selectVersion(executor, [lookId, version])).rows
  return row && Look.parse(row.look)
}

/** The draft of a site. */
export interface DraftRow {
  readonly draft: Look
  readonly revision: number
  readonly published_version: number | null
}

/** @param lock whether other changes wait until the transaction ends */
export async function findDraft(executor: Knex, site: number, lock = false): Promise<DraftRow | undefined> {
  const query = executor('site_looks').where({ site }).first('draft', 'revision', 'published_version')
  return lock ? query.forUpdate() : query
}

/** Stores a draft as its next revision. @returns false if another change was first */
export async function storeDraft(
  trx: Knex.Transaction,
  { site, draft, expected_revision }: { site: number; draft: Look; expected_revision: number },
): Promise<boolean> {
  const json = JSON.stringify(draft)
  if (expected_revision === 0) {
    const row = { site, look_id: newToken('', 16), draft: json, revision: 1 }
    const inserted: unknown[] = await trx('site_looks').insert(row).onConflict('site').ignore().returning('site')
    return inserted.length === 1
  }
  const changed = await trx('site_looks')
    .where({ site, revision: expected_revision })
    .update({ draft: json, revision: trx.raw('revision + 1') })
  return changed === 1
}

/** The version of a look in the history of a site. */
export interface VersionRow {
  readonly version: number
  readonly look: Look
  readonly published_at: Date
  readonly published_by: string
}

/** The newest first. */
export async function listVersions(executor: Knex, site: number): Promise<VersionRow[]> {
  return executor('site_look_versions')
    .where({ site })
    .orderBy('version', 'desc')
    .select('version', 'look', 'published_at', 'published_by')
}

/** Publishes a look as the next version of a locked draft, and deletes the versions that are too old to be restored. */
export async function insertVersion(
  trx: Knex.Transaction,
  { site, look, by }: { readonly site: number; readonly look: Look; readonly by: string },
): Promise<void> {
  const [newest] = await trx('site_look_versions').where({ site }).max({ version: 'version' })
  const version = Number(newest?.version ?? 0) + 1
  await trx('site_look_versions').insert({ site, version, look: JSON.stringify(look), published_by: by })
  await trx('site_looks')
    .where({ site })
    .update({ published_version: version, revision: trx.raw('revision + 1') })
  await trx('site_look_versions')
    .where({ site })
    .where('version', '<=', version - limits.look_versions)
    .delete()
}

/** A picture as it is sent to browsers. */
export interface PictureRow {
  readonly content: Buffer
  readonly type: 'image/png' | 'image/jpeg'
  /** SHA-256 of the picture before it was encoded. */
  readonly source_hash: string
}

const selectPicture = defineStatement<PictureRow & { site: number }>(
  'select site, content, type, source_hash from site_pictures where picture_id = $1',
)

export async function findPicture(
  executor: Executor,
  pictureId: string,
): Promise<(PictureRow & { readonly site: number }) | undefined> {
  return (await selectPicture(executor, [pictureId])).rows[0]
}

/** Stores a picture. @returns its ID, which cannot be guessed */
export async function insertPicture(knex: Knex, picture: PictureRow & { site: number }): Promise<string> {
  const pictureId = newToken('', 16)
  await knex('site_pictures').insert({ ...picture, picture_id: pictureId })
  return pictureId
}

/** The fields of a theme whose pictures the site has not stored. */
export async function findUnknownPictures(
  trx: Knex.Transaction,
  site: number,
  { theme }: Look,
): Promise<RejectedField[]> {
  const used = themePictures.flatMap((name) => (theme[name] === null ? [] : [{ name, picture: theme[name] }]))
  const rows: { picture_id: string }[] = await trx('site_pictures').where({ site }).select('picture_id')
  const stored = new Set(rows.map(({ picture_id }) => picture_id))
  return used
    .filter(({ picture }) => !stored.has(picture))
    .map(({ name }) => ({ field: `theme.${name}`, reason: 'is no picture of this site' }))
}

/** Deletes the pictures of a site that neither its draft nor a version has. */
export async function deleteUnusedPictures(trx: Knex.Transaction, site: number): Promise<void> {
  await trx.raw(
    `delete from site_pictures as picture where site = :site
       and not exists (select from site_looks where site = :site and strpos(draft::text, picture_id) > 0)
       and not exists (select from site_look_versions where site = :site and strpos(look::text, picture_id) > 0)`,
    { site },
  )
}
