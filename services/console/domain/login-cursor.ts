/** The place of a login in the list of the newest. */
interface ListPlace {
  readonly at: Date
  readonly login_id: string
}

/** The place of a login in the order in which logins ended. */
interface EndPlace {
  readonly position: number
  readonly login_id: string
}

/** After every login of a position. */
const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export function formatLoginCursor({ at, login_id }: ListPlace): string {
  return `${at.getTime()}-${login_id}`
}

/** @returns undefined if the text is no cursor */
export function parseLoginCursor(cursor: string): ListPlace | undefined {
  const parsed = parsePlace(cursor)
  return parsed && { at: new Date(parsed.number), login_id: parsed.login_id }
}

/** The place after a login, by default after all logins of the position. */
export function formatPosition(position: number, loginId: string = lastUuid): string {
  return `${position}-${loginId}`
}

/** @returns undefined if the text is no position */
export function parsePosition(text: string): EndPlace | undefined {
  const parsed = parsePlace(text)
  return parsed && { position: parsed.number, login_id: parsed.login_id }
}

function parsePlace(text: string): { readonly number: number; readonly login_id: string } | undefined {
  const [, number, loginId] = /^(\d{1,13})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? []
  return number === undefined || loginId === undefined ? undefined : { number: Number(number), login_id: loginId }
}
