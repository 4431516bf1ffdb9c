import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'

/** An application without a server: a page whose script logs the user in with oidc-client-ts. */
export interface BrowserApplication extends AsyncDisposable {
  readonly home: string
  readonly redirect_uri: string
  /** The settings of the page's library, from `/settings.json`. */
  readonly configure: (settings: Readonly<Record<string, unknown>>) => void
  /** From now on, the browser opens the callback with these parameters instead of its own. */
  readonly alterCallback: (parameters: Readonly<Record<string, string>>) => void
}

/** The page loads its settings, completes the login if it was opened with a response, and shows the result. */
const page = `<!doctype html>
<title>Application</title>
<button>Log in</button>
<output></output>
<script src="/oidc-client-ts.js"></script>
<script type="module">
  const settings = await (await fetch('/settings.json')).json()
  const manager = new oidc.UserManager({ ...settings, redirect_uri: location.origin + '/callback', loadUserInfo: true })
  const show = (text) => { document.querySelector('output').textContent = text }
  document.querySelector('button').onclick = () => manager.signinRedirect({ nonce: crypto.randomUUID() })
  if (location.pathname === '/callback') {
    try {
      const { profile } = await manager.signinCallback()
      show('Welcome ' + profile.name + ', ' + profile.sub)
    } catch (error) {
      show('Login failed: ' + error.message)
    }
  }
</script>`

export async function startBrowserApplication(): Promise<BrowserApplication> {
  const umd = createRequire(import.meta.url).resolve('oidc-client-ts')
  const library = await readFile(join(dirname(umd), '../browser/oidc-client-ts.min.js'))
  let settings: Readonly<Record<string, unknown>> = {}
  let altered: Readonly<Record<string, string>> | undefined
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', home)
    const send = (type: string, body: string | Buffer) => response.writeHead(200, { 'content-type': type }).end(body)
    if (pathname === '/oidc-client-ts.js') return send('text/javascript', library)
    if (pathname === '/settings.json') return send('application/json', JSON.stringify(settings))
    if (pathname !== '/callback' || altered === undefined) return send('text/html', page)
    const location = `/callback?${new URLSearchParams({ ...Object.fromEntries(searchParams), ...altered })}`
    altered = undefined
    response.writeHead(302, { location }).end()
  })
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // as it listens on a port
  const home = `http://localhost:${port}/`
  return {
    home,
    redirect_uri: `${home}callback`,
    configure(input) {
      settings = input
    },
    alterCallback(parameters) {
      altered = parameters
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
