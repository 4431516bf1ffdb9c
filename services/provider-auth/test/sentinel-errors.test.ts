import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { startSentinel } from '#local'
import { createLogger, parseRedisUrl } from '#runtime'
import { startTestRedis } from '#testing'
import { openRedis } from '../redis.ts'

test('if no sentinel names a master when the service starts, the error says why, without passwords', async () => {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(inject('directory'), 'sentinel-errors-'))
  const redis = stack.use(await startTestRedis(directory))
  const sentinel = stack.use(
    await startSentinel({
      directory: join(directory, 'sentinel'),
      master: { name: 'known', port: Number(new URL(redis.url).port) },
      quorum: 1,
      downAfterMs: 60_000,
      settings: ['requirepass hunter2'],
    }),
  )
  const { host } = new URL(sentinel.url)
  const open = async (path: string) => {
    const config = { REDIS_URL: parseRedisUrl(`redis+sentinel://user:hunter3@${host}/${path}`) }
    await using _redis = await openRedis(config, createLogger('test', 'silent'))
  }
  const failure = (code: string) =>
    `Redis Sentinel at ${host} cannot be used (${code}); check its address, its credentials`
  await expect(open('unknown?sentinel_password=hunter2')).rejects.toThrow(
    failure('the sentinels do not know this master'),
  )
  await expect(open('known?sentinel_password=hunter4')).rejects.toThrow(failure('WRONGPASS'))
})
