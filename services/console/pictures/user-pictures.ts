import { hash } from 'node:crypto'
import type { GuardedFetch } from '#http-client'
import type { PictureThread } from './picture-thread.ts'

/** How much is loaded at the same time, and waits. A list has at most a hundred users. Our choice. */
const concurrency = 4
const mostWaiting = 200
const mostRedirects = 2
/** In the memory of this process. A picture has about 3 kB. Our choice. */
const mostCached = 1_000
const cachedMs = 3_600_000
/** A provider that fails is asked again after this time. */
const failedMs = 300_000

/** Limits of the request for a picture. Our choice. */
export const pictureRequests = { timeoutMs: 5_000, maxBytes: 1_000_000 } as const

/** Loads pictures of users from providers, and keeps the latest ones in memory. */
export interface UserPictures {
  /** Returns a small square JPEG; undefined if there is none that can be used, or too many wait. It never throws. */
  readonly load: (url: string) => Promise<Buffer | undefined>
}

interface CachedPicture {
  readonly picture: Promise<Buffer | undefined>
  until: number
}

/**
 * The version of a picture, which changes with its URL, and which only those know who know the URL or read the version in a list.
 *
 * @returns 32 hex digits
 */
export function toPictureVersion(url: string): string {
  return hash('sha256', url).slice(0, 32)
}

/** @param options.isUrlAllowed whether a URL can be used, as far as it shows; `fetch` checks the address */
export function createUserPictures({
  fetch,
  thread,
  isUrlAllowed,
  now,
}: Pick<GuardedFetch, 'fetch'> & {
  readonly thread: PictureThread
  readonly isUrlAllowed: (url: string) => boolean
  readonly now: () => Date
}): UserPictures {
  const cache = new Map<string, CachedPicture>()
  const waiting: (() => void)[] = []
  let running = 0

  async function withSlot<T>(work: () => Promise<T>): Promise<T> {
    if (running >= concurrency) await new Promise<void>((start) => waiting.push(start))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }

  async function fetchPicture(url: string, redirects = 0): Promise<Buffer | undefined> {
    if (!URL.canParse(url) || !isUrlAllowed(url)) return undefined
    const response = await fetch(url, {
      method: 'GET',
      headers: { accept: 'image/webp, image/jpeg, image/png, image/gif' },
    })
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null && redirects < mostRedirects)
      return URL.canParse(location, url) ? fetchPicture(new URL(location, url).href, redirects + 1) : undefined
    return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : undefined
  }

  async function loadPicture(url: string): Promise<Buffer | undefined> {
    try {
      return await withSlot(async () => {
        const source = await fetchPicture(url)
        return source && (await thread.encode({ source }))
      })
    } catch {
      // Whatever a provider sends, the page shows initials. The URL is personal data, so nothing is logged.
      return undefined
    }
  }

  return {
    load(url) {
      const key = toPictureVersion(url)
      const cached = cache.get(key)
      // The latest used are the last ones of the map.
      cache.delete(key)
      const time = now().getTime()
      if (cached !== undefined && cached.until > time) {
        cache.set(key, cached)
        return cached.picture
      }
      if (waiting.length >= mostWaiting) return Promise.resolve(undefined)
      const entry: CachedPicture = { picture: loadPicture(url), until: time + cachedMs }
      cache.set(key, entry)
      for (const oldest of cache.keys()) {
        if (cache.size <= mostCached) break
        cache.delete(oldest)
      }
      void entry.picture.then((picture) => {
        if (picture === undefined) entry.until = now().getTime() + failedMs
      })
      return entry.picture
    },
  }
}
