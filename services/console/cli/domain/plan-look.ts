import { hash } from 'node:crypto'
import { Look, type SiteReference, type Theme, themePictures } from '#admin-api'
import type { ActualSite, StoredPictures } from './actual.ts'
import { listChanges, listValues } from './changes.ts'
import type { DesiredSite } from './desired.ts'
import { pathOf } from './site-path.ts'
import type { Change, Plan, PlanStep } from './step.ts'

/** Plans what end users see. Without the section, the look stays unchanged. */
export function planLook(site: SiteReference, desired: DesiredSite['look'], actual: ActualSite | undefined): Plan {
  if (desired === undefined) return { steps: [], notes: [] }
  const pictures: StoredPictures = actual?.pictures ?? new Map()
  const published = actual?.look.published ?? Look.parse({ theme: {}, words: {} })
  const look: Look = { theme: referToStored(desired.theme, published.theme, pictures), words: desired.words ?? {} }
  const changes = listLookChanges(look, published, pictures)
  if (changes.length === 0) return { steps: [], notes: [] }
  const subject = `look ${site.account}/${site.site_id}`
  const step: PlanStep = {
    procedure: 'saveLook',
    kind: actual === undefined || actual.look.published === null ? 'create' : 'change',
    subject,
    path: `${pathOf(site)}.look`,
    input: { ...site, ...look, publish: true },
    ...(actual && { revision: actual.look.revision }),
    changes,
  }
  const notes = actual?.look.changed ? [`${subject} has a draft that is not published. apply replaces the draft.`] : []
  return { steps: [step], notes }
}

/** Replaces pictures that are stored already with their IDs, so that they are not uploaded again. */
function referToStored(desired: Theme, published: Theme, pictures: StoredPictures): Theme {
  const theme = { ...desired }
  for (const name of themePictures) {
    const [picture, id] = [desired[name], published[name]]
    if (picture !== null && id !== null && isStoredAs(id, picture, pictures)) theme[name] = id
  }
  return theme
}

/** Whether a picture is the stored one, or the one that was uploaded, before the server encoded it again. */
function isStoredAs(id: string, picture: string, pictures: StoredPictures): boolean {
  const stored = pictures.get(id)
  if (stored === undefined || !isDataUrl(picture)) return false
  const digest = hash('sha256', decode(picture))
  return digest === stored.source_hash || digest === hash('sha256', decode(stored.picture))
}

/** Lists the fields of the theme and the words that differ, by path. */
function listLookChanges(desired: Look, published: Look, pictures: StoredPictures): Change[] {
  const before = Object.fromEntries(listValues(published))
  const after = Object.fromEntries(listValues(desired))
  const absent = Object.fromEntries(Object.keys(before).map((field) => [field, null]))
  return listChanges({ ...absent, ...after }, before).map((change) =>
    pictureFields.has(change.field)
      ? {
          field: change.field,
          before: describePicture(change.before, pictures),
          after: describePicture(change.after, pictures),
        }
      : change,
  )
}

const pictureFields: ReadonlySet<string> = new Set(themePictures.map((name) => `theme.${name}`))

/** Describes a picture in a few words, because its content is too long for a plan. */
function describePicture(picture: unknown, pictures: StoredPictures): unknown {
  if (typeof picture !== 'string') return picture
  const content = isDataUrl(picture) ? picture : pictures.get(picture)?.picture
  return content === undefined ? `picture ${picture}` : `picture of ${Math.ceil(decode(content).length / 1_000)} kB`
}

function isDataUrl(picture: string): boolean {
  return picture.startsWith('data:')
}

function decode(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
}
