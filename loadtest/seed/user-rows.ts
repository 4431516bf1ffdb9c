import { randomFillSync } from 'node:crypto'

/** Rows of a user and the accounts linked, as lines of COPY's text format. */
export interface UserRows {
  readonly user: string
  readonly links: string
}

const day = 86_400
const historyDays = 3 * 365

export const userColumns =
  'site, identifier, primary_key, mapped_at, last_logged_in_at, last_logged_in_provider, login_count, created_at'
export const linkColumns = 'site, provider, provider_user_id, identifier, created_at'

/**
 * User number `n` of `of` of a site, in the order of registration over three years, more every year: 60 % mapped, 88 % with a
 * login (most of them long ago), 20 % with two accounts, 1 % older than the identifier, as after a merge.
 */
export function createUserRows(site: number, n: number, of: number, now: number): UserRows {
  const registeredAt = Math.floor(now - historyDays * day * (1 - ((n + Math.random()) / of) ** (2 / 3)))
  const identifier = registeredAt.toString(16).padStart(8, '0') + randomHex(16)
  const age = now - registeredAt
  const created = Math.random() < 0.01 ? registeredAt - Math.floor(Math.random() * 300 * day) : registeredAt
  const mapped = Math.random() < 0.6
  const loggedIn = Math.random() < 0.88 ? now - lastLogin(age) : undefined
  const provider = Math.random() < 0.7 ? 'messaging' : 'search'

  const user = [
    site,
    identifier,
    mapped ? `member-${site}-${n}` : null,
    mapped ? time(registeredAt) : null,
    loggedIn === undefined ? null : time(loggedIn),
    loggedIn === undefined ? null : provider,
    loggedIn === undefined ? 0 : 1 + Math.floor((-Math.log(1 - Math.random()) * age) / (20 * day)),
    time(created),
  ]
  const providers = n % 5 === 0 ? ['messaging', 'search'] : [provider]
  const links = providers.map((name) => line([site, name, accountAt(name), identifier, time(created)]))
  return { user: line(user), links: links.join('') }
}

/** Seconds since the last login: half of the users log in every few weeks, the others last did months ago or never. */
function lastLogin(age: number): number {
  const mean = (Math.random() < 0.5 ? 20 : 250) * day
  return Math.floor(Math.min(age, -Math.log(1 - Math.random()) * mean))
}

function accountAt(provider: string): string {
  return provider === 'messaging' ? `U${randomHex(16)}` : randomHex(13).toUpperCase()
}

function line(values: readonly (string | number | null)[]): string {
  return `${values.map((value) => value ?? '\\N').join('\t')}\n`
}

function time(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}

const random = Buffer.alloc(65_536)
let used = random.length

function randomHex(bytes: number): string {
  if (used + bytes > random.length) {
    randomFillSync(random)
    used = 0
  }
  used += bytes
  return random.toString('hex', used - bytes, used)
}
