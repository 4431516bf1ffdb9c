export const providers = {
  title: 'Login providers',
  about: 'Each login provider you use knows your service by what you register there. Set up one to begin with.',
  state: 'State',
  states: { off: 'not set up', incomplete: 'incomplete', switched_off: 'switched off', ready: 'ready' },
  secret_ends: 'Secret ends',
  set_up: 'Set up',
  change: 'Open',
  guide: 'At the provider',
  guide_about: 'What to do there, in this order.',
  to_console: 'To the provider’s console',
  enter_there: 'To be entered at the provider',
  callback: 'Callback address',
  notices: 'Address for notices',
  notices_about: {
    events: 'Address for notices',
    deauthorize: 'Address for ended consents',
    data_deletion: 'Address for requests of deletion',
  },
  here: 'Here',
  missing: 'Still missing',
  complete: 'Complete: people can log in with it.',
  client_secret_kept: 'One is kept. Leave this empty to keep it.',
  option_kept: 'One is kept. Leave this empty to keep it.',
  expires: 'The secret ends on',
  expires_hint: 'If the provider says so. You are warned 30 days before.',
  enabled: 'In use: people can log in with it',
  official_account: 'An official account is linked with the channel',
  official_account_hint: 'Only then may logins offer to add it as a friend; otherwise the provider refuses them.',
  protocol: 'Protocol',
  protocols: { oauth1: 'OAuth 1.0a (recommended: tokens do not end)', oauth2: 'OAuth 2.0 with PKCE' },
  authorize: 'Authorization address',
  authorize_about: 'Your application sends people here to log in with this provider. Complete for the client chosen.',
  authorize_none: 'Shown once the settings are complete and a client has a callback address.',
  authorize_client: 'Client',
  authorize_callback: 'Callback address of the client',
  authorize_fresh:
    'Libraries for OpenID Connect put fresh values in place of STATE, NONCE and CHALLENGE at each login, and check them on return.',
  test: 'Test login',
  test_about:
    'Logs you in the real way, in a new tab, for the client chosen above, and shows here what the provider told. You become a user of the site.',
  test_do: 'Start a test login',
  test_blocked: 'The browser did not let the new tab open. Allow this page to open one.',
  test_waiting: 'Waiting for a login in the other tab…',
  test_came: 'It works.',
  test_claims: 'What the provider told',
  test_claims_about: 'By its own names. Shown to you alone, and forgotten within ten minutes.',
  test_claim: 'Claim',
  test_value: 'Value',
  test_stored: 'What is stored of it',
  test_failed: 'The login came to nothing',
  test_failed_advice: (error: string) => `Your application was told “${error}”.`,
  test_over: 'The test login has ended without a login. Start another.',
  test_user: 'look at the user',
}

interface Guide {
  /** Where the provider's console is. */
  readonly console: string
  readonly client_id: string
  readonly client_secret: string
  readonly steps: readonly string[]
  readonly notices?: string
  readonly beware?: readonly string[]
}

export const guides: Record<'messaging' | 'portal' | 'social' | 'search' | 'device' | 'microblog', Guide> & {
  webhook_secret: string
  app_id: string
  app_id_hint: string
  permissions: string
  permissions_hint: string
  team_id: string
  key_id: string
  device_secret: string
} = {
  messaging: {
    console: 'https://developers.line.biz/console/',
    client_id: 'Channel ID',
    client_secret: 'Channel secret',
    steps: [
      'In the LINE Developers Console choose your provider, or create one, and create a LINE Login channel of the type “Web app”.',
      'On the tab “Basic settings” find the Channel ID and the Channel secret, and enter both here.',
      'On the tab “LINE Login” enter the callback address below.',
      'For e-mail addresses, apply under “OpenID Connect” on “Basic settings”; LINE wants a screenshot of how you explain it to people.',
      'Publish the channel: until then only its developers can log in.',
    ],
    notices:
      'As webhook URL of the Messaging API channel of your official account, so that new and lost friends are known at once.',
    beware: [
      'User ids are the same within one provider of the console only: keep all channels of a service under the same one.',
      'A linked official account must belong to the same provider of the console.',
    ],
  },
  portal: {
    console: 'https://e.developer.yahoo.co.jp/dashboard/',
    client_id: 'Client ID',
    client_secret: 'Secret',
    steps: [
      'In the Yahoo! JAPAN Developer Network register an application with ID linkage, as “server side”.',
      'On its page find Client ID and Secret, and enter both here.',
      'Enter the callback address below; it must be exactly the same.',
      'Apply for the attributes you need: name, e-mail address and the like are told only to approved applications.',
    ],
    beware: ['Without the approval people can log in, but nothing but their id is known.'],
  },
  social: {
    console: 'https://developers.facebook.com/apps/',
    client_id: 'App ID',
    client_secret: 'App secret',
    steps: [
      'In Meta for Developers create an app with the use case “Authenticate and request data from users with Facebook Login”.',
      'Under “App settings › Basic” find App ID and App secret, and enter both here.',
      'Under “Facebook Login › Settings” enter the callback address below as valid OAuth redirect URI.',
      'Ask for the permission “email” if you need it. Birthday, gender and the like need an App Review each.',
      'Switch the app to “Live”: in development only its testers can log in.',
    ],
    notices: 'As deauthorize callback and as data deletion request address, under “Facebook Login › Settings”.',
    beware: ['An e-mail address is missing where a person has none or does not agree, and never counts as verified.'],
  },
  search: {
    console: 'https://console.cloud.google.com/auth/clients',
    client_id: 'Client ID',
    client_secret: 'Client secret',
    steps: [
      'In the Google Cloud console choose or create a project, and fill in the consent screen (Google Auth Platform › Branding).',
      'Under “Clients” create an OAuth client of the type “Web application”.',
      'Enter the callback address below under “Authorized redirect URIs”.',
      'Copy Client ID and Client secret and enter both here; Google shows the secret once only.',
      'Under “Audience” publish the app: while testing, only listed testers can log in, and refresh tokens end after 7 days.',
    ],
  },
  device: {
    console: 'https://developer.apple.com/account/resources/identifiers/list/serviceId',
    client_id: 'Services ID',
    client_secret: 'Private key (.p8)',
    steps: [
      'In the Apple Developer account register an App ID with “Sign in with Apple” if you have none.',
      'Register a Services ID, e.g. com.example.shop.login, and enter it here as client id.',
      'Configure it for “Sign in with Apple”: choose the primary App ID, enter your domain, and the callback address below as return URL.',
      'Under “Keys” create a key for “Sign in with Apple”. Download the .p8 file, once, and paste its whole text here.',
      'Enter the Key ID shown beside it, and the Team ID shown at the top right of the account.',
    ],
    notices:
      'As server-to-server notification endpoint of the primary App ID, so that ended consents and deleted accounts are known.',
    beware: [
      'Apple wants https and a real host name: it cannot be used on a developer’s machine.',
      'The name comes at the first consent only. The e-mail address may be one of its relay.',
    ],
  },
  microblog: {
    console: 'https://console.x.com/',
    client_id: 'API key',
    client_secret: 'API key secret',
    steps: [
      'In the X developer console create an app, and under “User authentication settings” switch on “Log in with X” as “Web App”.',
      'Enter the callback address below, and the addresses of your website, terms and privacy policy.',
      'Switch on “Request email from users” if you need the address.',
      'Under “Keys and tokens” find API key and API key secret (for OAuth 2.0: Client ID and Client Secret), and enter both here.',
    ],
    beware: ['X charges for use: reading the profile at each login may cost money.'],
  },
  app_id: 'Primary App ID',
  app_id_hint: 'Where notices come to it instead of the Services ID; may stay empty.',
  permissions: 'Approved permissions',
  permissions_hint: 'Those that Meta approved in the App Review, beyond name, picture and e-mail address.',
  webhook_secret: 'Channel secret of the Messaging API channel',
  team_id: 'Team ID',
  key_id: 'Key ID',
  device_secret: 'The text of the .p8 file, with its first and last line',
}
