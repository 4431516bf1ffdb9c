import { expect, test } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'

test('secrets are masked at any depth; names, IDs and has_… flags stay', () => {
  const plain = {
    name: 'token',
    token_id: 'id',
    primary_key: 'customer-7',
    api_key_id: 'id',
    has_client_secret: true,
    secrets: [{ secret_id: 'id' }],
    options: { team_id: 'T', webhook_secret: true },
    at: '2030-01-01T00:00:00.000Z',
    nothing: null,
  }
  expect(maskSecrets({ ...plain, at: new Date('2030-01-01T00:00:00Z') })).toEqual(plain)
  const secrets = {
    client_secret: 's',
    api_key: 's',
    token: 's',
    password: 's',
    link: 's',
    chat_url: 's',
    email_address: 's',
    options: { webhook_secret: 's' },
    list: [{ client_secret: 's' }],
    headers: { authorization: 's' },
  }
  expect(JSON.stringify(maskSecrets(secrets))).not.toContain('"s"')
})
