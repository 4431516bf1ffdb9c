import { createExpiringMap } from '../../expiring-map.ts'
import { sendErrors } from '../../oauth/errors.ts'
import { createProvider } from '../../oauth/provider.ts'
import type { SimulatedProvider, Simulator } from '../provider.ts'
import { channelTokenLifetime, handleDeauthorize, issueChannelToken } from './channel.ts'
import { createMessagingDialect } from './dialect.ts'
import { changeFriend, createFriends } from './friends.ts'
import { messageErrors, showFriendship, showMessagingProfile } from './resources.ts'
import { verifyAccessToken, verifyIdToken } from './verify.ts'

/** Creates the messaging provider, with the endpoints that only LINE has. */
export function createMessaging(simulator: Simulator): Promise<SimulatedProvider> {
  const friends = createFriends()
  // Client IDs by channel access token.
  const channelTokens = createExpiringMap<string>(channelTokenLifetime)
  const oauth = sendErrors()
  const resource = sendErrors(messageErrors)
  return createProvider(createMessagingDialect(friends), simulator, (routes, server) => {
    routes.get('Verify access token', '/oauth2/v2.1/verify', oauth, (ctx) => verifyAccessToken(ctx, server))
    routes.post('Verify ID Token', '/oauth2/v2.1/verify', oauth, (ctx) => verifyIdToken(ctx, server))
    routes.post('Channel token', '/oauth2/v3/token', oauth, (ctx) => issueChannelToken(ctx, channelTokens, server))
    routes.post('Deauthorize', '/user/v1/deauthorize', resource, (ctx) => handleDeauthorize(ctx, channelTokens, server))
    routes.get('Profile', '/v2/profile', resource, (ctx) => showMessagingProfile(ctx, server))
    routes.get('Friendship', '/friendship/v1/status', resource, (ctx) => showFriendship(ctx, friends, server))
    routes.post('Friends (simulator only)', '/friends', (ctx) => changeFriend(ctx, friends, server))
  })
}
