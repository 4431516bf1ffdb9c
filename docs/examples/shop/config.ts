/** The shop's settings; README.md says where each comes from. */
export interface Config {
  readonly port: number
  /** The address to listen on; undefined for all interfaces. */
  readonly host: string | undefined
  /** Addresses without a trailing slash. */
  readonly shop_url: string
  readonly auth_url: string
  readonly webApiUrl: string
  readonly api_key: string
  readonly client_id: string
  readonly client_secret: string
}

const names = ['PORT', 'SHOP_URL', 'AUTH_URL', 'WEB_API_URL', 'API_KEY', 'CLIENT_ID', 'CLIENT_SECRET']
const addresses = names.filter((name) => name.endsWith('_URL'))

/** @throws Error with one sentence that says what to set */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const missing = names.filter((name) => !environment[name])
  if (missing.length > 0) throw new Error(`The shop needs ${missing.join(', ')} in its environment; see README.md.`)
  const setting = (name: string) => environment[name] ?? ''
  const wrong = addresses.find((name) => !/^https?:$/.test(URL.parse(setting(name))?.protocol ?? ''))
  if (wrong !== undefined) throw new Error(`${wrong} must be an http or https address.`)
  if (!/^\d{1,5}$/.test(setting('PORT'))) throw new Error('PORT must be a port number.')
  const base = (name: string) => setting(name).replace(/\/+$/, '')
  return {
    port: Number(setting('PORT')),
    host: environment.HOST || undefined,
    shop_url: base('SHOP_URL'),
    auth_url: base('AUTH_URL'),
    webApiUrl: base('WEB_API_URL'),
    api_key: setting('API_KEY'),
    client_id: setting('CLIENT_ID'),
    client_secret: setting('CLIENT_SECRET'),
  }
}
