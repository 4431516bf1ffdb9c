import { expect, test } from 'vitest'
import { withoutSecrets } from './secrets.ts'

test('secrets are masked wherever they stand; whether there is one, names and ids are told', () => {
  const told = {
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
  expect(withoutSecrets({ ...told, at: new Date('2030-01-01T00:00:00Z') })).toEqual(told)
  const given = {
    client_secret: 's',
    api_key: 's',
    token: 's',
    password: 's',
    link: 's',
    options: { webhook_secret: 's' },
    list: [{ client_secret: 's' }],
  }
  expect(JSON.stringify(withoutSecrets(given))).not.toContain('"s"')
})
