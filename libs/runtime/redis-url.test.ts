import { expect, test } from 'vitest'
import { configReader, redisSettings } from './config.ts'
import { parseRedisUrl } from './redis-url.ts'

const usual = {
  isCluster: false,
  sentinel: undefined,
  tls: false,
  username: undefined,
  password: undefined,
  database: 0,
}

test.each([
  ['redis://redis', { servers: [{ host: 'redis', port: 6_379 }] }],
  ['redis://[::1]:6380/2', { servers: [{ host: '::1', port: 6_380 }], database: 2 }],
  ['rediss://:p%40ss%2F@redis:80', { servers: [{ host: 'redis', port: 80 }], tls: true, password: 'p@ss/' }],
  ['redis://user:a:b,c@redis', { servers: [{ host: 'redis', port: 6_379 }], username: 'user', password: 'a:b,c' }],
  [
    'redis+sentinel://sentinel/mymaster',
    { servers: [{ host: 'sentinel', port: 26_379 }], sentinel: { master: 'mymaster' } },
  ],
  [
    'rediss+sentinel://user:pass@a:1,[::2]:2,c/my%20master/3?sentinel_username=s&sentinel_password=%2Bp',
    {
      servers: [
        { host: 'a', port: 1 },
        { host: '::2', port: 2 },
        { host: 'c', port: 26_379 },
      ],
      sentinel: { master: 'my master', username: 's', password: '+p' },
      tls: true,
      username: 'user',
      password: 'pass',
      database: 3,
    },
  ],
  ['redis+cluster://redis', { servers: [{ host: 'redis', port: 6_379 }], isCluster: true }],
  [
    'rediss+cluster://user:p%2C@a:1,[::2]:2,c/',
    {
      servers: [
        { host: 'a', port: 1 },
        { host: '::2', port: 2 },
        { host: 'c', port: 6_379 },
      ],
      isCluster: true,
      tls: true,
      username: 'user',
      password: 'p,',
    },
  ],
])('%s is accepted', (url, expected) => {
  expect(parseRedisUrl(url)).toEqual({ ...usual, ...expected })
})

test.each([
  ['s3cret', 'must be a URL'],
  [
    'http://:s3cret@redis',
    'must start with redis://, rediss://, redis+sentinel://, rediss+sentinel://, redis+cluster://, rediss+cluster://',
  ],
  ['redis://:s3cret@', 'must have <host> or <host>:<port> as each server'],
  ['redis://:s3cret@redis:99999', 'must have <host> or <host>:<port> as each server'],
  ['redis://:s3/cret@redis', 'must have <host> or <host>:<port> as each server'],
  ['redis://:s3cret%@redis', 'must have user, password and path percent-encoded'],
  ['redis://:s3cret@a,b', 'must have one server; several must be sentinels: redis+sentinel://'],
  ['redis+cluster://:s3cret@a,b/1', 'must have no database; a Redis Cluster has only database 0'],
  ['redis+cluster://:s3cret@a?family=6', 'must have no parameters'],
  ['redis+cluster://:s3cret@a,,b', 'must have <host> or <host>:<port> as each server'],
  ['redis://:s3cret@redis/mymaster', 'must have a number as its database'],
  ['redis://:s3cret@redis?family=6', 'must have no parameters'],
  ['redis+sentinel://:s3cret@a,b', 'must end with the name of the master'],
  ['redis+sentinel://:s3cret@a,,b/mymaster', 'must have <host> or <host>:<port> as each server'],
  ['redis+sentinel://:s3cret@a/mymaster/x', 'must have a number as its database'],
  [
    'redis+sentinel://a/mymaster?password=s3cret',
    'must have no parameters but sentinel_username and sentinel_password',
  ],
])('%s is rejected without its password', (url, message) => {
  const read = () => configReader(redisSettings)({ REDIS_URL: url })
  expect(read).toThrow(`REDIS_URL is wrong: ${message}`)
  expect(read).not.toThrow(/s3cret/)
})
