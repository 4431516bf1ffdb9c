import { alwaysNull, appClientIds, type LoginProviderDescription, linkTimes } from './description.ts'

/** Facebook. */
export const social = {
  displayName: { en: 'Facebook', ja: 'Facebook' },
  supplies: [
    ...['full_name', 'first_name', 'middle_name', 'last_name', 'image_url'],
    ...['age_range_min', 'age_range_max', 'birthday', 'gender', 'uri'],
    ...['location', 'location_id', 'hometown', 'hometown_id', 'email'],
  ],
  credential: {
    fields: { access_token: 'access_token', expires_at: 'expires_at', friendship_updated_at: alwaysNull, ...linkTimes },
  },
  chartColor: 'indigo.6',
  button: {
    label: { en: 'Continue with Facebook', ja: 'Facebookで続ける' },
    light: { background: '#1877f2', text: '#ffffff', border: '#1877f2' },
    dark: { background: '#1877f2', text: '#ffffff', border: '#1877f2' },
  },
  logo: {
    path: 'M9.101 23.691v-7.98H6.627v-3.667h2.474v-1.58c0-4.085 1.848-5.978 5.858-5.978.401 0 .955.042 1.468.103a8.68 8.68 0 0 1 1.141.195v3.325a8.623 8.623 0 0 0-.653-.036 26.805 26.805 0 0 0-.733-.009c-.707 0-1.259.096-1.675.309a1.686 1.686 0 0 0-.679.622c-.258.42-.374.995-.374 1.752v1.297h3.919l-.386 2.103-.287 1.564h-3.246v8.245C19.396 23.238 24 18.179 24 12.044c0-6.627-5.373-12-12-12s-12 5.373-12 12c0 5.628 3.874 10.35 9.101 11.647Z',
  },
  consoleUrl: 'https://developers.facebook.com/apps/',
  clientSecret: 'text',
  options: {
    /** Permissions for more profile items, as far as the provider approved them for the site's application. */
    permissions: {
      type: 'list',
      message: 'names unknown permissions',
      values: ['user_age_range', 'user_birthday', 'user_gender', 'user_hometown', 'user_link', 'user_location'],
    },
    app_client_ids: appClientIds,
  },
  webhooks: ['deauthorize', 'data_deletion'],
} as const satisfies LoginProviderDescription
