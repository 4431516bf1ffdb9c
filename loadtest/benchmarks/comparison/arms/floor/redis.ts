import { Redis } from 'ioredis'
import { readArmEnvironment } from '../environment.ts'
import { driveOperation } from './driver.ts'

/** A script that counts in Redis, by the stock client. */
const redis = new Redis(readArmEnvironment().REDIS_URL)
const sha = String(await redis.script('LOAD', "return redis.call('INCR', KEYS[1])"))
driveOperation((n) => redis.evalsha(sha, 1, `floor:${n % 1_000}`))
