import type { Routes } from '#http'
import { type Context, readForm } from '#http'
import { equalSecrets, newToken } from '#runtime'
import { readJsonInput } from '../json-input.ts'
import type { Render } from '../pages.ts'
import type { SimulatedProvider } from '../providers/provider.ts'
import { describeScenario } from './description.ts'
import { ScenarioInput, scenarioDuration } from './input.ts'
import { getScenarioKind, scenarioNames, subjects } from './scenario-kinds.ts'
import type { Scenarios } from './scenarios.ts'

interface Parts {
  readonly url: string
  readonly scenarios: Scenarios
  readonly providers: readonly SimulatedProvider[]
  readonly render: Render
}

const kinds = scenarioNames.map((scenario) => ({ scenario, ...getScenarioKind(scenario) }))
const groups = Object.entries(subjects).map(([subject, title]) => ({
  title,
  kinds: kinds.filter((kind) => kind.subject === subject),
}))

/**
 * Adds the routes that start and end scenarios: `/scenarios` is a page with forms for browsers, and a JSON API for
 * programs.
 */
export function addScenarioRoutes(routes: Routes, { url, scenarios, providers, render }: Parts): void {
  // CSRF token: only our own page contains it.
  const formToken = newToken()
  const address = `${new URL(url).pathname.replace(/\/$/, '')}/scenarios`

  const showPage = (ctx: Context, status = 200, retry: { problem?: string; typed?: object } = {}) => {
    const active = scenarios.list().map(describeScenario)
    render.page(ctx, status, 'scenarios', {
      url,
      groups,
      providers,
      active,
      form_token: formToken,
      duration: scenarioDuration,
      typed: {},
      ...retry,
    })
  }
  const redirectToPage = (ctx: Context) => {
    ctx.status = 303
    ctx.set('Location', address)
    ctx.body = ''
  }
  /** The form's fields; undefined, with a 403 response, if the form does not come from our page. */
  const readOwnForm = async (ctx: Context) => {
    const { form_token: token, ...fields } = Object.fromEntries((await readForm(ctx.req)).values)
    if (token !== undefined && equalSecrets(token, formToken)) return fields
    showPage(ctx, 403, {
      problem: 'Nothing was changed: the page had expired, or another site sent the form. Try again.',
    })
    return undefined
  }

  routes.get('/scenarios', (ctx) => {
    if (ctx.accepts('json', 'html') === 'html') showPage(ctx)
    else ctx.body = { active: scenarios.list(), kinds }
  })

  routes.post('/scenarios', async (ctx) => {
    if (ctx.is('application/x-www-form-urlencoded')) {
      const fields = await readOwnForm(ctx)
      if (fields === undefined) return
      const parsed = ScenarioInput.safeParse(toScenarioInput(fields))
      if (!parsed.success) return showPage(ctx, 400, { problem: parsed.error.issues[0]?.message ?? '', typed: fields })
      scenarios.start(parsed.data)
      return redirectToPage(ctx)
    }
    const input = await readJsonInput(ctx, ScenarioInput)
    ctx.status = 'data' in input ? 201 : 400
    ctx.body =
      'data' in input ? scenarios.start(input.data) : { error: 'invalid_request', error_description: input.problem }
  })

  routes.post('/scenarios/end', async (ctx) => {
    const fields = await readOwnForm(ctx)
    if (fields === undefined) return
    if (fields.id === undefined) scenarios.endAll()
    else scenarios.end(fields.id)
    redirectToPage(ctx)
  })

  routes.delete('/scenarios', (ctx) => {
    scenarios.endAll()
    ctx.status = 204
  })
  routes.delete('/scenarios/:id', (ctx) => {
    if (scenarios.end(ctx.params.id ?? '')) ctx.status = 204
  })
}

/** Each scenario with seconds has its own field in the form; only that of the selected scenario counts. */
function toScenarioInput({
  scenario,
  provider,
  name,
  lasts_seconds,
  ...others
}: Readonly<Record<string, string>>): object {
  const seconds = others[`seconds_${scenario}`]
  return {
    scenario,
    ...(provider !== undefined && { provider }),
    ...(name !== undefined && { name }),
    ...(seconds !== undefined && { seconds: Number(seconds) }),
    ...(lasts_seconds !== undefined && { lasts_seconds: Number(lasts_seconds) }),
  }
}
