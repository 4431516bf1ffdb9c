import type { PublishedLook } from '../../store/site-looks.ts'

/** The address of a published look's stylesheet; another version has another one, so that browsers store it. */
export function buildLookStylesheetPath({ look_id, version }: Pick<PublishedLook, 'look_id' | 'version'>): string {
  return `/oauth2/looks/${look_id}/${version}.css`
}

/** The address of a picture, whose content never changes. */
export function buildPicturePath(picture: string): string {
  // Previews have pictures that are not stored yet.
  return picture.startsWith('data:') ? picture : `/oauth2/pictures/${picture}`
}
