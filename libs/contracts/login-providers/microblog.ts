import { alwaysNull, appClientIds, type LoginProviderDescription, linkTimes } from './description.ts'

/** X. */
export const microblog = {
  displayName: { en: 'X', ja: 'X' },
  pathToken: 'microblog_x',
  supplies: [
    ...['user_name', 'full_name', 'image_url', 'bio', 'location', 'website', 'uri', 'verified'],
    ...['follow', 'email'],
  ],
  credential: {
    fields: {
      access_token: 'access_token',
      access_secret: 'access_secret',
      expires_at: alwaysNull,
      client_access_token: 'client_access_token',
      client_access_secret: 'client_access_secret',
      client_expires_at: 'client_expires_at',
      friendship_updated_at: alwaysNull,
      ...linkTimes,
    },
  },
  chartColor: 'cyan.7',
  button: {
    label: { en: 'Sign in with X', ja: 'Xでログイン' },
    light: { background: '#000000', text: '#ffffff', border: '#000000' },
    dark: { background: '#ffffff', text: '#000000', border: '#ffffff' },
  },
  logo: {
    path: 'M14.234 10.162 22.977 0h-2.072l-7.591 8.824L7.251 0H.258l9.168 13.343L.258 24H2.33l8.016-9.318L16.749 24h6.993zm-2.837 3.299-.929-1.329L3.076 1.56h3.182l5.965 8.532.929 1.329 7.754 11.09h-3.182z',
  },
  consoleUrl: 'https://console.x.com/',
  clientSecret: 'text',
  options: {
    app_client_ids: appClientIds,
    /** The secret of the app's consumer key, if apps do not use that of the site. */
    app_client_secret: { type: 'text', secret: true, maximum: 255 },
    protocol: { type: 'choice', values: ['oauth1', 'oauth2'], default: 'oauth1' },
  },
  webhooks: [],
} as const satisfies LoginProviderDescription
