import type { Routes } from '#http'
import { type Context, readForm } from '#http'
import { equalSecrets, newToken } from '#runtime'
import { readJson } from '../json.ts'
import type { Render } from '../pages.ts'
import type { SimulatedProvider } from '../providers/provider.ts'
import type { Behaviours } from './behaviours.ts'
import { inWords } from './in-words.ts'
import { behaviour_names, kindOf, subjects } from './kinds.ts'
import { lasts, Wanted } from './wanted.ts'

interface Parts {
  readonly url: string
  readonly behaviours: Behaviours
  readonly providers: readonly SimulatedProvider[]
  readonly render: Render
}

const kinds = behaviour_names.map((behaviour) => ({ behaviour, ...kindOf(behaviour) }))
const groups = Object.entries(subjects).map(([subject, title]) => ({
  title,
  kinds: kinds.filter((kind) => kind.subject === subject),
}))

/** Choosing behaviours: one address for the page and its forms, and for programs in JSON. */
export function addBehaviourRoutes(routes: Routes, { url, behaviours, providers, render }: Parts): void {
  // Known to those alone who could read the page, which another site's page cannot.
  const form_token = newToken()
  const own_address = `${new URL(url).pathname.replace(/\/$/, '')}/behaviours`

  const showPage = (ctx: Context, status = 200, retry: { problem?: string; typed?: object } = {}) => {
    const in_force = behaviours.list().map(inWords)
    render.page(ctx, status, 'behaviours', { url, groups, providers, in_force, form_token, lasts, typed: {}, ...retry })
  }
  const back = (ctx: Context) => {
    ctx.status = 303
    ctx.set('Location', own_address)
    ctx.body = ''
  }
  /** The form's fields; undefined when it did not come from our page, which is answered. */
  const readOwnForm = async (ctx: Context) => {
    const { form_token: token, ...fields } = Object.fromEntries((await readForm(ctx.req)).values)
    if (token !== undefined && equalSecrets(token, form_token)) return fields
    showPage(ctx, 403, { problem: 'Nothing was changed: this page had grown old, or the form came from elsewhere.' })
    return undefined
  }

  routes.get('/behaviours', (ctx) => {
    if (ctx.accepts('json', 'html') === 'html') showPage(ctx)
    else ctx.body = { in_force: behaviours.list(), kinds }
  })

  routes.post('/behaviours', async (ctx) => {
    if (ctx.is('application/x-www-form-urlencoded')) {
      const fields = await readOwnForm(ctx)
      if (fields === undefined) return
      const parsed = Wanted.safeParse(wantedByForm(fields))
      if (!parsed.success) return showPage(ctx, 400, { problem: parsed.error.issues[0]?.message ?? '', typed: fields })
      behaviours.begin(parsed.data)
      return back(ctx)
    }
    const parsed = Wanted.safeParse(await readJson(ctx))
    if (parsed.success) {
      ctx.status = 201
      ctx.body = behaviours.begin(parsed.data)
    } else {
      const problems = parsed.error.issues.map(
        ({ path, message }) => `${path.join('.') || 'The JSON body'}: ${message}`,
      )
      ctx.status = 400
      ctx.body = { error: 'invalid_request', error_description: problems.join('; ') }
    }
  })

  routes.post('/behaviours/end', async (ctx) => {
    const fields = await readOwnForm(ctx)
    if (fields === undefined) return
    if (fields.id === undefined) behaviours.endAll()
    else behaviours.end(fields.id)
    back(ctx)
  })

  routes.delete('/behaviours', (ctx) => {
    behaviours.endAll()
    ctx.status = 204
  })
  routes.delete('/behaviours/:id', (ctx) => {
    if (behaviours.end(ctx.params.id ?? '')) ctx.status = 204
  })
}

/** Each kind with seconds has a field of its own in the form; the chosen one's counts. */
function wantedByForm({
  behaviour,
  provider,
  name,
  lasts_seconds,
  ...others
}: Readonly<Record<string, string>>): object {
  const seconds = others[`seconds_${behaviour}`]
  return {
    behaviour,
    ...(provider !== undefined && { provider }),
    ...(name !== undefined && { name }),
    ...(seconds !== undefined && { seconds: Number(seconds) }),
    ...(lasts_seconds !== undefined && { lasts_seconds: Number(lasts_seconds) }),
  }
}
