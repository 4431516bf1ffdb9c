/** The shop's settings; README.md says where each comes from. */
export interface Config {
  readonly port: number
  /** Addresses without a trailing slash. */
  readonly shop_url: string
  readonly auth_url: string
  readonly web_api_url: string
  readonly api_key: string
  readonly client_id: string
  readonly client_secret: string
  /** The authorization address of each login provider, as the settings page shows it. */
  readonly authorize: Readonly<Record<Provider, string>>
}

export const providers = {
  messaging: 'Messaging',
  portal: 'Portal',
  social: 'Social',
  search: 'Search',
  device: 'Device',
  microblog: 'Microblog',
} as const
export type Provider = keyof typeof providers

export function isProvider(name: string | undefined): name is Provider {
  return name !== undefined && Object.hasOwn(providers, name)
}

const names = [
  ...['PORT', 'SHOP_URL', 'AUTH_URL', 'WEB_API_URL', 'API_KEY', 'CLIENT_ID', 'CLIENT_SECRET'],
  ...['AUTHORIZE_MESSAGING', 'AUTHORIZE_PORTAL', 'AUTHORIZE_SOCIAL'],
  ...['AUTHORIZE_SEARCH', 'AUTHORIZE_DEVICE', 'AUTHORIZE_MICROBLOG'],
]
const addresses = names.filter((name) => /_URL$|^AUTHORIZE_/.test(name))

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
    shop_url: base('SHOP_URL'),
    auth_url: base('AUTH_URL'),
    web_api_url: base('WEB_API_URL'),
    api_key: setting('API_KEY'),
    client_id: setting('CLIENT_ID'),
    client_secret: setting('CLIENT_SECRET'),
    authorize: {
      messaging: setting('AUTHORIZE_MESSAGING'),
      portal: setting('AUTHORIZE_PORTAL'),
      social: setting('AUTHORIZE_SOCIAL'),
      search: setting('AUTHORIZE_SEARCH'),
      device: setting('AUTHORIZE_DEVICE'),
      microblog: setting('AUTHORIZE_MICROBLOG'),
    },
  }
}
