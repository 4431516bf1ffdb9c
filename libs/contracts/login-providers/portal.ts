import { alwaysNull, appClientIds, type LoginProviderDescription, linkTimes } from './description.ts'

/** Yahoo! JAPAN. */
export const portal = {
  displayName: { en: 'Yahoo! JAPAN', ja: 'Yahoo! JAPAN' },
  supplies: [
    ...['full_name', 'full_name_kana', 'full_name_kanji'],
    ...['first_name', 'first_name_kana', 'first_name_kanji'],
    ...['last_name', 'last_name_kana', 'last_name_kanji'],
    ...['user_name', 'image_url', 'gender', 'birthday'],
    ...['postal_code', 'prefecture', 'city', 'street', 'email'],
  ],
  credential: {
    fields: {
      access_token: 'access_token',
      access_token_secret: alwaysNull,
      refresh_token: 'refresh_token',
      session_handle: alwaysNull,
      expires_at: 'expires_at',
      handle_expires_at: alwaysNull,
      client_access_token: 'client_access_token',
      client_refresh_token: 'client_refresh_token',
      client_expires_at: 'client_expires_at',
      friendship_updated_at: alwaysNull,
      ...linkTimes,
    },
    longAccessTokens: true,
  },
  chartColor: 'red.7',
  button: {
    label: { en: 'Log in with Yahoo! JAPAN ID', ja: 'Yahoo! JAPAN IDでログイン' },
    light: { background: '#ff0033', text: '#ffffff', border: '#ff0033' },
    dark: { background: '#ff0033', text: '#ffffff', border: '#ff0033' },
  },
  logo: {
    // A plain rendering of "Y!".
    path: 'M1.2 4.2h5l3 5.6 3-5.6h4.7l-5.6 9.5v6.1H6.8v-6.1zM18.6 4.2h4.2l-1.3 9.4h-2.1zM20.3 15.3a2.2 2.2 0 1 1 0 4.5 2.2 2.2 0 0 1 0-4.5z',
  },
  consoleUrl: 'https://e.developer.yahoo.co.jp/dashboard/',
  clientSecret: 'text',
  options: { app_client_ids: appClientIds },
  webhooks: [],
} as const satisfies LoginProviderDescription
