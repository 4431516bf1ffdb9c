import { createHash } from 'node:crypto'

/** Users with an account each, and with tokens, a profile and a friend status unless `accountsOnly`, as lines of JSON for an import. */
export function* createImportedUsers(users: number, accountsOnly: boolean): Generator<string> {
  const day = 86_400_000
  for (let n = 0; n < users; n++) {
    const createdAt = new Date(Date.UTC(2015, 0, 1) + ((n * 7919) % 3_650) * day).toISOString()
    const record = {
      identifier: createHash('sha1').update(String(n)).digest('hex'),
      primary_key: `member-${n}`,
      created_at: createdAt,
      last_logged_in_at: '2026-01-01T00:00:00Z',
      last_logged_in_provider: 'messaging',
      login_count: n % 50,
      links: [
        {
          provider: 'messaging',
          provider_user_id: `U${n}`,
          ...(!accountsOnly && createData(n)),
        },
      ],
    }
    yield `${JSON.stringify(record)}\n`
  }
}

function createData(n: number) {
  return {
    credential: {
      access_token: 'a'.repeat(60),
      refresh_token: 'r'.repeat(60),
      expires_at: '2026-02-01T00:00:00Z',
    },
    data: {
      profile: { full_name: `User ${n}`, image_url: 'https://example.com/picture.png' },
      email: [{ email: `user-${n}@example.com`, verified: true }],
    },
    friendship_status: n % 2 === 0,
  }
}
