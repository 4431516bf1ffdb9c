import type Router from '@koa/router'
import { userPicture } from '#admin-api'
import { newCall } from '#bus'
import { createRouter, type RequestState, rejectPrefetch } from '#http'
import { AdminFault } from '../admin-fault.ts'
import { toRoutePath } from '../admin-paths.ts'
import type { Deps } from '../deps.ts'
import { toPictureVersion } from '../pictures/user-pictures.ts'
import { requireAccess } from './access.ts'
import { authenticate } from './authenticate.ts'
import type { CountFailure } from './failures.ts'
import { parseInput } from './input.ts'

/** How long browsers keep a picture, whose URL changes with it. Our choice. */
const browserSeconds = 3_600

/** Creates the route of the pictures of users, which browsers never load from providers. */
export function createPictureRoutes(deps: Deps, countFailure: CountFailure): Router<RequestState> {
  const { identity, profile, userPictures } = deps
  const router = createRouter()
  router.use(rejectPrefetch)
  router.get(toRoutePath(userPicture), async (ctx) => {
    const actor = await authenticate(ctx, deps, countFailure)
    requireAccess(userPicture, ctx.params, actor)
    const { account, site_id, identifier, version } = parseInput(userPicture.input, { ...ctx.params, ...ctx.query })
    ctx.state.siteName = `${account}/${site_id}`
    const call = newCall({ request_id: ctx.state.request_id })
    const { site } = await identity.readSite({ account, site_id }, call)
    // Read each time, so that a picture is not sent after its profile is deleted.
    const { profiles } = await profile.readProfileSummaries({ site, identifiers: [identifier] }, call)
    const url = profiles[identifier]?.image_url ?? undefined
    const isCurrent = url !== undefined && toPictureVersion(url) === version
    const picture = isCurrent ? await userPictures.load(url) : undefined
    if (picture === undefined) throw new AdminFault('not_found')
    ctx.type = 'image/jpeg'
    ctx.set('Cache-Control', `private, max-age=${browserSeconds}`)
    ctx.body = picture
  })
  return router
}
