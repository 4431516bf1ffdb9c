import type Router from '@koa/router'
import { createRouter, type RequestState } from '#http'
import type { Deps } from '../../deps.ts'
import { findLookVersion, findPicture } from '../../store/site-looks.ts'
import { buildPicturePath } from './paths.ts'
import { buildLookStylesheet } from './stylesheet.ts'

const cacheControl = 'public, max-age=31536000, immutable'

/** The stylesheets and pictures of looks, which browsers store: their addresses name a version. */
export function lookRoutes({ reader }: Pick<Deps, 'reader'>): Router<RequestState> {
  const router = createRouter()
  router.get('/oauth2/looks/:look_id/:version.css', async (ctx) => {
    const { look_id = '', version = '' } = ctx.params
    const look = /^\d{1,9}$/.test(version) ? await findLookVersion(reader, look_id, Number(version)) : undefined
    if (look === undefined) return
    ctx.type = 'text/css; charset=utf-8'
    ctx.set('Cache-Control', cacheControl)
    ctx.body = buildLookStylesheet(look.theme, buildPicturePath)
  })
  router.get('/oauth2/pictures/:picture', async (ctx) => {
    const picture = await findPicture(reader, ctx.params.picture ?? '')
    if (picture === undefined) return
    ctx.type = picture.type
    // Opened as a document, it may do nothing either.
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox")
    ctx.set('Cache-Control', cacheControl)
    ctx.body = picture.content
  })
  return router
}
