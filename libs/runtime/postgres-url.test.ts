import { expect, test } from 'vitest'
import { configReader, databaseSettings } from './config.ts'
import { listPostgresServers, splitPostgresUrl } from './postgres-url.ts'

test('a URL of several servers is split into one for each', () => {
  const urls = splitPostgresUrl(
    'postgres://u:p%40,@a,b:5433,[::1]:5434/d?target_session_attrs=read-write&sslmode=require',
  )
  const rest = '/d?target_session_attrs=read-write&sslmode=require'
  expect(urls).toEqual(['a', 'b:5433', '[::1]:5434'].map((server) => `postgres://u:p%40,@${server}${rest}`))
  expect(listPostgresServers(urls)).toEqual([
    { host: 'a', port: 5_432 },
    { host: 'b', port: 5_433 },
    { host: '::1', port: 5_434 },
  ])
})

test('a URL of one server stays as it is', () => {
  for (const url of ['postgresql://u@%2Frun%2Fpostgres/d', 'postgres:///d?host=/run/postgres', 'postgres://u:p@h/d'])
    expect(splitPostgresUrl(url)).toEqual([url])
})

test.each([
  ['mysql://:s3cret@h', 'must be a postgres:// URL'],
  ['postgres://u:s3cret@a,,b/d', 'must have <host> or <host>:<port> as each server'],
  ['postgres://u:s3cret@h:99999/d', 'must be a URL with <host> or <host>:<port> as each server'],
  ['postgres://u:s3cret@a,b/d?target_session_attrs=any', 'must have no target_session_attrs but read-write or primary'],
])('%s is rejected without its password', (url, message) => {
  const read = () => configReader(databaseSettings)({ DATABASE_URL: url })
  expect(read).toThrow(`DATABASE_URL is wrong: ${message}`)
  expect(read).not.toThrow(/s3cret/)
})
