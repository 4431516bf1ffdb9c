import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { imageSize } from 'image-size'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServiceStack } from '#testing'
import { type Managed, startManaged } from './managed.ts'
import {
  decode,
  drawPixels,
  drawPng,
  encodeJpeg,
  patchAfter,
  readPictureFile,
  withOrientation,
} from './picture-files.ts'

/** What the provider's server sends, by path. */
const pictures = new Map<string, { readonly status?: number; readonly location?: string; readonly body?: Buffer }>()
const requests: string[] = []
const provider = createServer(({ url = '' }, response) => {
  requests.push(url)
  const { status = 404, location, body = '' } = pictures.get(url) ?? {}
  response.writeHead(status, { 'content-type': 'image/png', ...(location === undefined ? {} : { location }) }).end(body)
})

let managed: Managed<ServiceStack>
let site: number
let origin: string
let token: string
beforeAll(async () => {
  managed = await startManaged({ consoleEnvironment: { NODE_ENV: 'development' } })
  const { identity, call } = managed.serviceStack
  site = (await identity.registerSite({ account: 'shop', site_id: 'main', name: 'Main' }, call())).site
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const address = provider.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  origin = `http://127.0.0.1:${address.port}`
  token = await managed.createToken('shop', 'viewer')
})
afterAll(async () => {
  provider.close()
  await managed[Symbol.asyncDispose]()
})

const users = '/accounts/shop/sites/main/users'

async function createUser(imageUrl: string | null) {
  const { identity, profile, call } = managed.serviceStack
  const link = { provider: 'messaging', provider_user_id: randomUUID() } as const
  const { user } = await identity.createUser({ site, links: [link] }, call())
  const { link_id, recorded_at } = await identity.recordLogin({ site, login: randomUUID(), ...link }, call())
  const data = { profile: { full_name: 'Anna Abe', image_url: imageUrl }, follow: null, email: [], phone: [] }
  const { identifier } = user
  await profile.recordProviderData(
    { site, identifier, link_id, provider: 'messaging', data, obtained_at: recorded_at },
    call(),
  )
  return identifier
}

/** The path of the picture of a user in a list. */
async function readPath(identifier: string): Promise<string | null> {
  const viewer = await managed.createClient('shop', 'viewer')
  const { body } = await viewer('POST', `${users}/summaries`, { identifiers: [identifier] })
  return Reflect.get(Object(Reflect.get(Object(body), 'users')[0]), 'picture')
}

const fetchPath = (path: string | null, headers: Record<string, string> = { authorization: `Bearer ${token}` }) =>
  fetch(`${managed.serviceStack.console.url}${path}`, { headers })

const png = (width: number, height: number) => drawPng(width, height, [255, 0, 0])

test('a picture is fetched once, encoded again as a small square, and sent to who may see the user', async () => {
  pictures.set('/old.png', { status: 302, location: '/new.png' })
  pictures.set('/new.png', { status: 200, body: png(300, 200) })
  const path = await readPath(await createUser(`${origin}/old.png`))
  expect(path).not.toContain('old.png')
  const first = await fetchPath(path)
  expect(first.status).toBe(200)
  expect(first.headers.get('content-type')).toBe('image/jpeg')
  expect(first.headers.get('cache-control')).toMatch(/^private/)
  expect(imageSize(Buffer.from(await first.arrayBuffer()))).toMatchObject({ type: 'jpg', width: 80, height: 80 })
  expect((await fetchPath(path)).status).toBe(200)
  expect(requests.filter((url) => url === '/old.png')).toHaveLength(1)
  expect((await fetchPath(path, {})).status).toBe(401)
  const stranger = await managed.createToken('other', 'owner')
  expect((await fetchPath(path, { authorization: `Bearer ${stranger}` })).status).toBe(404)
  expect((await fetchPath(path?.replace(/=.{32}$/, `=${'0'.repeat(32)}`) ?? '')).status).toBe(404)
})

test('what is no picture, too large or not found is not sent', async () => {
  pictures.set('/vector', { status: 200, body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') })
  pictures.set('/many-pixels', { status: 200, body: png(2_000, 1_500) })
  pictures.set('/many-bytes', { status: 200, body: Buffer.alloc(1_000_001) })
  pictures.set('/loop', { status: 302, location: '/loop' })
  pictures.set('/elsewhere', { status: 302, location: 'http://10.0.0.1/picture.png' })
  for (const name of ['vector', 'many-pixels', 'many-bytes', 'loop', 'elsewhere', 'absent'])
    expect([name, (await fetchPath(await readPath(await createUser(`${origin}/${name}`)))).status]).toEqual([name, 404])
  expect(requests.filter((url) => url === '/loop')).toHaveLength(3)
  expect(await readPath(await createUser(null))).toBeNull()
})

/** The picture that is sent for a file of the provider, and the color in its middle, in eighths. */
async function sendFile(body: Buffer) {
  const path = `/${randomUUID()}`
  pictures.set(path, { status: 200, body })
  const response = await fetchPath(await readPath(await createUser(`${origin}${path}`)))
  if (response.status !== 200) return undefined
  const image = decode(new Uint8Array(await response.arrayBuffer()))
  return { image, color: image.readColor(40, 40) }
}

test('the first frame of WebP and GIF is sent, on white, and photographs are turned', async () => {
  expect(await sendFile(readPictureFile('lossy'))).toMatchObject({ color: [8, 0, 0] })
  expect(await sendFile(readPictureFile('transparent'))).toMatchObject({ color: [4, 8, 4] })
  expect(await sendFile(readPictureFile('animated'))).toMatchObject({ color: [0, 0, 8] })
  expect(await sendFile(readPictureFile('gif'))).toMatchObject({ color: [8, 0, 0] })
  // Red above, blue below, as a camera writes it that was turned to the right.
  const photo = encodeJpeg(drawPixels(40, 40, (_x, y) => (y < 20 ? [255, 0, 0] : [0, 0, 255])))
  const turned = await sendFile(withOrientation(photo, 6))
  if (turned === undefined) throw new Error('The photograph was not sent.')
  expect([turned.image.readColor(10, 40), turned.image.readColor(70, 40)]).toEqual([
    [0, 0, 8],
    [8, 0, 0],
  ])
})

test('hostile files are not sent, and those after them are', async () => {
  const [webp, animated, gif] = [readPictureFile('lossy'), readPictureFile('animated'), readPictureFile('gif')]
  const large = [0xff, 0xff, 0xff, 0x0f]
  const files: Readonly<Record<string, Buffer>> = {
    truncated: webp.subarray(0, 60),
    'truncated GIF': gif.subarray(0, 60),
    'PNG with many pixels': patchAfter(png(10, 10), 'IHDR', 0, [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]),
    'WebP with a larger frame': patchAfter(animated, 'ANMF', 4 + 6, [...large.slice(0, 3), ...large.slice(0, 3)]),
    'WebP with a larger picture': patchAfter(animated, 'VP8L', 4 + 1, large),
    'GIF with a larger frame': patchAfter(gif, '\x2c\0\0\0\0', 0, [0xff, 0xff, 0xff, 0xff]),
    'SVG with the name of a PNG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    'WebP of random bytes': Buffer.concat([webp.subarray(0, 40), Buffer.alloc(400, 0xa7)]),
    nothing: Buffer.alloc(0),
  }
  for (const [name, file] of Object.entries(files)) {
    expect([name, (await sendFile(file))?.color]).toEqual([name, undefined])
    expect(await sendFile(webp)).toMatchObject({ color: [8, 0, 0] })
  }
})

test('a picture is not sent after the profile is deleted', async () => {
  pictures.set('/leaving.png', { status: 200, body: png(10, 10) })
  const identifier = await createUser(`${origin}/leaving.png`)
  const path = await readPath(identifier)
  expect((await fetchPath(path)).status).toBe(200)
  const editor = await managed.createClient('shop', 'editor')
  expect((await editor('DELETE', `${users}/${identifier}/profile`)).status).toBe(200)
  expect((await fetchPath(path)).status).toBe(404)
})
