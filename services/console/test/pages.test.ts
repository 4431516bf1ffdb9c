import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openContext } from '#testing'
import { type Harness, startConsole } from './harness.ts'

const page = `<!doctype html>
<title>console</title>
<meta property="csp-nonce" nonce="{{csp_nonce}}">
<link rel="stylesheet" href="/assets/page-1a2b.css" nonce="{{csp_nonce}}">
<script type="module" src="/assets/page-1a2b.js" nonce="{{csp_nonce}}"></script>
<body style="color: rgb(9, 9, 9)"><script>document.title = 'injected'</script>`
const script = `const style = document.createElement('style')
style.nonce = document.querySelector('meta').nonce
style.textContent = 'body { background: rgb(1, 2, 3) }'
document.head.append(style)
document.body.dataset.ran = 'yes'
`

let stack: AsyncDisposableStack
let harness: Harness
let web: string
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  web = await mkdtemp(join(tmpdir(), 'social-login-console-web-'))
  stack.defer(() => rm(web, { recursive: true, force: true }))
  harness = stack.use(await startConsole({ web }))
})
afterAll(() => stack.disposeAsync())

async function build(directory = web): Promise<void> {
  for (const name of ['assets', '.vite']) await mkdir(join(directory, name), { recursive: true })
  await writeFile(join(directory, '.vite/index.licenses.json'), '[]')
  await writeFile(join(directory, 'assets/page-1a2b.js'), script)
  await writeFile(join(directory, 'assets/page-1a2b.css'), 'body { margin: 0 }')
  await writeFile(join(directory, 'index.html'), page)
  await writeFile(join(directory, 'sign-in.html'), `${page}<!-- sign-in -->`)
}

test('without a built web console, a page explains how to build it, and the Admin API works', async () => {
  const unbuilt = join(web, 'unbuilt')
  await using console = await startConsole({ web: unbuilt })
  const response = await fetch(`${console.url}/`)
  expect(response.status).toBe(503)
  expect(await response.text()).toContain('npm run build:console')
  expect((await fetch(`${console.url}/admin/v1/me`)).status).toBe(401)
  await build(unbuilt)
  expect((await fetch(`${console.url}/`)).status).toBe(200)
})

test.each(['/', '/accounts/shop/sites', '/sign-in', '/index.html'])(
  '%s returns the page, not cached, with its own nonce',
  async (path) => {
    await build()
    const responses = await Promise.all([fetch(`${harness.url}${path}`), fetch(`${harness.url}${path}`)])
    const nonces = await Promise.all(
      responses.map(async (response) => {
        expect(response.headers.get('cache-control')).toBe('no-cache')
        const [, nonce = ''] = /'nonce-([^']+)'/.exec(response.headers.get('content-security-policy') ?? '') ?? []
        const text = await response.text()
        expect(text).toContain(`nonce="${nonce}"`)
        expect(text).not.toContain('{{')
        return nonce
      }),
    )
    expect(new Set(nonces).size).toBe(2)
  },
)

test.each([
  ['/accounts', undefined, true],
  ['/accounts', 'console=token', false],
  ['/accounts', 'another=token', true],
  ['/index.html', undefined, true],
  ['/sign-in.html', 'console=token', false],
  // The targets of links in mails, also for a member who is signed in.
  ['/sign-in', 'console=token', true],
  ['/notices/confirm', 'console=token', true],
])('%s with the cookie %s: is it the document of the sign-in? %s', async (path, cookie, isSignIn) => {
  await build()
  const response = await fetch(`${harness.url}${path}`, { headers: cookie === undefined ? {} : { cookie } })
  expect((await response.text()).includes('<!-- sign-in -->')).toBe(isSignIn)
  expect(response.headers.get('vary')).toContain('Cookie')
})

test('files with a content hash are cached for a year, and compressed if the browser supports it', async () => {
  await build()
  const plain = await fetch(`${harness.url}/assets/page-1a2b.js`, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(plain.headers.get('content-type')).toMatch(/javascript/)
  expect(await plain.text()).toBe(script)
  const smaller = await fetch(`${harness.url}/assets/page-1a2b.js`, { headers: { 'accept-encoding': 'br' } })
  expect(smaller.headers.get('content-encoding')).toBe('br')
  expect(smaller.headers.get('vary')).toBe('Accept-Encoding')
  expect(await smaller.text()).toBe(script)
})

test.each(['/assets/none.js', '/..%2fpackage.json', '/assets/../../service.ts', '/.env', '/.vite/index.licenses.json'])(
  '%s returns 404',
  async (path) => {
    await build()
    const response = await fetch(`${harness.url}${path}`)
    expect(response.status).toBe(404)
  },
)

test('the page’s own script and style elements run in a browser, injected ones do not', async () => {
  await build()
  const browser = await openBrowser()
  stack.defer(() => browser.close())
  const context = await openContext(browser)
  const tab = await context.newPage()
  await tab.goto(harness.url)
  await tab.waitForFunction(`document.body.dataset.ran === 'yes'`)
  expect(await tab.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(1, 2, 3)')
  expect(await tab.evaluate('getComputedStyle(document.body).color')).toBe('rgb(0, 0, 0)')
  expect(await tab.title()).toBe('console')
})
