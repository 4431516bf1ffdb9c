import type { adminLookProcedures, PictureUse } from '#admin-api'
import type { Call } from '#bus'
import { Fault, type Look, type RejectedField, themePictures } from '#contracts'
import type { Deps } from '../deps.ts'
import { encodePicture, PictureRejected } from '../pictures/encode-picture.ts'
import type { ServedProcedure } from '../served-procedures.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite } from './resolve-site.ts'

export const lookHandlers = {
  async saveLook({ theme, words, publish, ...name }, deps, { audit, call, expected_revision, name: member }) {
    const { site } = await resolveSite(name, deps, call)
    const before = await deps.provider_auth.readLook({ site }, call)
    const look = await storePictures(site, { theme, words }, deps, call)
    const publishing = publish ? { publish_by: member } : {}
    const saved = await deps.provider_auth.changeLook({ site, expected_revision, look, ...publishing }, call)
    audit(
      { ...before.draft, published_version: before.published_version },
      { ...look, published_version: saved.published_version },
    )
    return saved
  },

  async restoreLook({ version, ...name }, deps, { audit, call, expected_revision, name: member }) {
    const { site } = await resolveSite(name, deps, call)
    const before = await deps.provider_auth.readLook({ site }, call)
    const restored = await deps.provider_auth.restoreLook({ site, version, expected_revision, by: member }, call)
    audit(
      { ...before.draft, published_version: before.published_version },
      { ...restored.draft, published_version: restored.published_version },
    )
    return restored
  },

  async uploadPicture({ picture, use, ...name }, deps, { audit, call }) {
    const { site } = await resolveSite(name, deps, call)
    const stored = await storePicture(site, { field: 'picture', picture, use }, deps, call)
    audit(null, { picture: stored, use })
    return { picture: stored }
  },

  async previewLook({ account, site_id, theme, words, ...page }, deps, { call }) {
    const { site } = await resolveSite({ account, site_id }, deps, call)
    return deps.provider_auth.previewPage({ ...page, site, account, site_id, look: { theme, words } }, call)
  },

  listPageTexts: ({ language }, deps, { call }) =>
    deps.provider_auth.listPageTexts(language === undefined ? {} : { language }, call),
} satisfies AdminHandlers<Exclude<keyof typeof adminLookProcedures, ServedProcedure>>

const usesByField: Readonly<Record<(typeof themePictures)[number], PictureUse>> = {
  logo: 'logo',
  logo_dark: 'logo',
  favicon: 'favicon',
  background: 'background',
}

/** Stores the pictures of a look that are data URLs. @throws Fault `invalid_parameter` */
async function storePictures(site: number, look: Look, deps: Deps, call: Call): Promise<Look> {
  const theme = { ...look.theme }
  for (const name of themePictures) {
    const picture = theme[name]
    if (picture?.startsWith('data:'))
      theme[name] = await storePicture(site, { field: `theme.${name}`, picture, use: usesByField[name] }, deps, call)
  }
  return { ...look, theme }
}

interface Upload {
  /** The field of the request, for errors. */
  readonly field: string
  readonly picture: string
  readonly use: PictureUse
}

/** @returns the ID of the stored picture. @throws Fault `invalid_parameter` */
async function storePicture(site: number, { field, picture, use }: Upload, deps: Deps, call: Call): Promise<string> {
  const encoded = await encodePicture(deps.pictureThread, picture, use).catch((error: unknown): never => {
    if (!(error instanceof PictureRejected)) throw error
    const rejected: RejectedField = { field, reason: error.message }
    throw new Fault('invalid_parameter', { fields: [rejected] })
  })
  return (await deps.provider_auth.addPicture({ site, ...encoded }, call)).picture
}
