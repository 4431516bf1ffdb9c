import { expect, test } from 'vitest'
import { readPastedValues } from './pasted-values.ts'

const pem = '-----BEGIN PRIVATE KEY-----\nMIGTAgEA\n-----END PRIVATE KEY-----'

test.each([
  [
    'the file that Google offers to download',
    'search',
    JSON.stringify({
      web: {
        client_id: '1234-abc.apps.googleusercontent.com',
        project_id: 'shop',
        auth_uri: 'https://accounts.google.com/o/oauth2/auth',
        token_uri: 'https://oauth2.googleapis.com/token',
        client_secret: 'GOCSPX-1',
        redirect_uris: ['https://example.com/callback'],
      },
    }),
    { client_id: '1234-abc.apps.googleusercontent.com', client_secret: 'GOCSPX-1', options: {} },
  ],
  [
    'an environment of Auth.js with several providers',
    'messaging',
    'AUTH_GOOGLE_ID=g\nAUTH_SECRET="x"\nAUTH_GOOGLE_CLIENT_ID=g\nAUTH_GOOGLE_CLIENT_SECRET=gs\nLINE_CHANNEL_ID=1650000000\nLINE_CHANNEL_SECRET="abc" # new',
    { client_id: '1650000000', client_secret: 'abc', options: {} },
  ],
  [
    'an environment without names of providers',
    'social',
    "export CLIENT_ID=123\r\nexport CLIENT_SECRET='s=1'\r\n",
    { client_id: '123', client_secret: 's=1', options: {} },
  ],
  [
    'keys of Apple with the key on one line',
    'device',
    `APPLE_TEAM_ID=ABCDE12345\nAPPLE_KEY_ID=FGHIJ67890\nAPPLE_CLIENT_ID=com.example.web\nAPPLE_PRIVATE_KEY="${pem.replaceAll('\n', '\\n')}"`,
    { client_id: 'com.example.web', client_secret: pem, options: { team_id: 'ABCDE12345', key_id: 'FGHIJ67890' } },
  ],
  ['values of another provider only', 'messaging', 'FACEBOOK_APP_ID=1\nFACEBOOK_APP_SECRET=2', { options: {} }],
  ['a text without values', 'search', 'hello', { options: {} }],
])('%s', (_, provider, text, expected) => expect(readPastedValues(text, provider)).toEqual(expected))

test('a private key is the secret, and the name of its file has the ID', () =>
  expect(readPastedValues(`${pem}\n`, 'device', 'AuthKey_FGHIJ67890.p8')).toEqual({
    client_secret: pem,
    options: { key_id: 'FGHIJ67890' },
  }))
