import { callDuration } from '#bus'
import { redisTimeouts } from '../../services/provider-auth/redis.ts'
import { refreshWait } from '../../services/provider-auth/upstream/token-refresh/credential-refresher.ts'

// Loaded by every test file of a hostile run: a stop and the busy processes would together exceed the limits of production. Tests of
// outages have the deadlines that they give to their calls.

callDuration.ms = 20_000
refreshWait.ms = 10_000
Object.assign(redisTimeouts, { command: 8_000, connection: 8_000, start: 20_000 })
