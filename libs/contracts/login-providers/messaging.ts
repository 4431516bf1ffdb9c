import { alwaysNull, appClientIds, type LoginProviderDescription, linkTimes } from './description.ts'

/** LINE. */
export const messaging = {
  displayName: { en: 'LINE', ja: 'LINE' },
  supplies: [
    ...['user_name', 'image_url', 'bio', 'email'],
    // With the permissions of LINE Profile+.
    ...['full_name', 'full_name_kana', 'first_name', 'first_name_kana', 'middle_name', 'last_name', 'last_name_kana'],
    ...['gender', 'birthday', 'phone', 'postal_code', 'prefecture', 'city', 'street'],
  ],
  credential: {
    fields: {
      access_token: 'access_token',
      refresh_token: 'refresh_token',
      expires_at: 'expires_at',
      friendship_status: 'friendship_status',
      friendship_status_updated_at: 'friendship_status_updated_at',
      friendship_updated_at: alwaysNull,
      ...linkTimes,
    },
  },
  chartColor: 'green.7',
  button: {
    label: { en: 'Log in with LINE', ja: 'LINEでログイン' },
    light: { background: '#06c755', text: '#ffffff', border: '#06c755' },
    dark: { background: '#06c755', text: '#ffffff', border: '#06c755' },
  },
  logo: {
    path: 'M19.365 9.863c.349 0 .63.285.63.631 0 .345-.281.63-.63.63H17.61v1.125h1.755c.349 0 .63.283.63.63 0 .344-.281.629-.63.629h-2.386c-.345 0-.627-.285-.627-.629V8.108c0-.345.282-.63.63-.63h2.386c.346 0 .627.285.627.63 0 .349-.281.63-.63.63H17.61v1.125h1.755zm-3.855 3.016c0 .27-.174.51-.432.596-.064.021-.133.031-.199.031-.211 0-.391-.09-.51-.25l-2.443-3.317v2.94c0 .344-.279.629-.631.629-.346 0-.626-.285-.626-.629V8.108c0-.27.173-.51.43-.595.06-.023.136-.033.194-.033.195 0 .375.104.495.254l2.462 3.33V8.108c0-.345.282-.63.63-.63.345 0 .63.285.63.63v4.771zm-5.741 0c0 .344-.282.629-.631.629-.345 0-.627-.285-.627-.629V8.108c0-.345.282-.63.63-.63.346 0 .628.285.628.63v4.771zm-2.466.629H4.917c-.345 0-.63-.285-.63-.629V8.108c0-.345.285-.63.63-.63.348 0 .63.285.63.63v4.141h1.756c.348 0 .629.283.629.63 0 .344-.282.629-.629.629M24 10.314C24 4.943 18.615.572 12 .572S0 4.943 0 10.314c0 4.811 4.27 8.842 10.035 9.608.391.082.923.258 1.058.59.12.301.079.766.038 1.08l-.164 1.02c-.045.301-.24 1.186 1.049.645 1.291-.539 6.916-4.078 9.436-6.975C23.176 14.393 24 12.458 24 10.314',
  },
  consoleUrl: 'https://developers.line.biz/console/',
  clientSecret: 'text',
  hasOfficialAccount: true,
  options: {
    /** The channel secret of the Messaging API channel, whose webhook reports new and lost friends. */
    webhook_secret: { type: 'text', secret: true, withOfficialAccount: true, maximum: 255 },
    app_client_ids: appClientIds,
    /** Where the provider's automatic login is off: it can open another browser than the one that started the login. */
    disable_auto_login: { type: 'choice', values: ['never', 'ios', 'always'], default: 'never' },
    /** Permissions of LINE Profile+, as far as the provider approved them for the channel: the names of their scopes. */
    permissions: {
      type: 'list',
      message: 'names unknown permissions',
      values: ['real_name', 'gender', 'birthdate', 'phone', 'address'],
    },
  },
  webhooks: ['events'],
} as const satisfies LoginProviderDescription
