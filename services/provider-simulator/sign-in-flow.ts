import { type Context, readForm } from '#http'
import { newToken } from '#runtime'
import type { SimulatedClient } from './client-registry.ts'
import { createExpiringMap } from './expiring-map.ts'
import { allowFormPost, allowRedirectsAfterForm, type Render } from './pages.ts'
import { redirectTo } from './redirect.ts'
import { describeScenariosAt } from './scenarios/description.ts'
import type { ActiveScenarios, Scenarios } from './scenarios/scenarios.ts'
import { parseName } from './user-name.ts'

/** A sign-in at a provider and how the login continues; stored until the end user submits the form. */
export interface SignInRequest {
  readonly provider: { readonly name: string; readonly title: string }
  readonly client: SimulatedClient
  readonly redirect_uri: string
  /** Descriptions of what the application will receive. */
  readonly shares: readonly string[]
  /** An optional checkbox. */
  readonly option?: string
  /** The next step if the end user of this name allows. */
  readonly allow: (name: string, optionChosen: boolean) => NextStep | Promise<NextStep>
  readonly deny: () => NextStep
}

/** A URL to redirect to, or a form that the browser posts to the application; undefined fields are omitted. */
export type NextStep =
  | string
  | { readonly action: string; readonly fields: Readonly<Record<string, string | undefined>> }

/** The page on which end users sign in and consent, for all providers. */
export interface SignInFlow {
  readonly start: (ctx: Context, request: SignInRequest) => void
  /** Continues without showing the page. */
  readonly proceed: (ctx: Context, from: Pick<SignInRequest, 'provider' | 'client'>, nextStep: NextStep) => void
  readonly submit: (ctx: Context) => Promise<void>
}

/** How long an end user may take to submit the form. Our choice. */
const requestLifetimeSeconds = 600

export function createSignInFlow({ render, scenarios }: { render: Render; scenarios: Scenarios }): SignInFlow {
  const requests = createExpiringMap<SignInRequest>(requestLifetimeSeconds)

  const showExpired = (ctx: Context) =>
    render.errorPage(ctx, 400, {
      heading: 'This sign-in has expired',
      message: 'The form was already submitted, or took too long. Go back to the application and log in again.',
    })

  const show = (ctx: Context, status: number, handle: string, retry: { typed?: string; problem?: string } = {}) => {
    const request = requests.get(handle)
    if (request === undefined) return showExpired(ctx)
    const { client, redirect_uri, provider } = request
    const application = { name: client.name ?? client.client_id, host: new URL(redirect_uri).host }
    allowRedirectsAfterForm(ctx)
    render.page(ctx, status, 'sign-in', {
      ...request,
      application,
      handle,
      active: describeScenariosAt(provider.name, scenarios),
      ...retry,
    })
  }

  const proceed = (
    ctx: Context,
    { provider, client }: Pick<SignInRequest, 'provider' | 'client'>,
    nextStep: NextStep,
  ) => {
    if (typeof nextStep === 'string') return redirectTo(ctx, nextStep)
    const { action, fields } = nextStep
    allowFormPost(ctx)
    const present = Object.entries(fields).filter(([, value]) => value !== undefined)
    render.page(ctx, 200, 'form-post', {
      provider,
      application: client.name ?? client.client_id,
      action,
      fields: present,
    })
  }

  return {
    proceed,
    start(ctx, request) {
      if (scenarios.activeFor(request.provider.name).has('deny')) return proceed(ctx, request, request.deny())
      const handle = newToken()
      requests.set(handle, request)
      show(ctx, 200, handle)
    },
    async submit(ctx) {
      const { values } = await readForm(ctx.req)
      const handle = values.get('handle') ?? ''
      const request = requests.get(handle)
      if (request === undefined) return showExpired(ctx)
      const typed = values.get('user') ?? ''
      const decision = parseDecision(values.get('decision'), typed)
      const active = scenarios.activeFor(request.provider.name, 'name' in decision ? decision.name : undefined)
      const problem = findProblem(decision, active)
      if (problem !== undefined) return show(ctx, 400, handle, { typed, problem })
      requests.take(handle)
      const allows = 'name' in decision && !active.has('deny')
      const optionChosen = request.option !== undefined && values.has('option')
      const nextStep = allows ? await request.allow(decision.name, optionChosen) : request.deny()
      proceed(ctx, request, nextStep)
    },
  }
}

type Decision = { readonly name: string } | { readonly problem: string } | { readonly denied: true }

function parseDecision(decision: string | undefined, typed: string): Decision {
  if (decision === 'deny') return { denied: true }
  return decision === 'allow' ? parseName(typed) : { problem: 'Choose Allow or Deny.' }
}

/** Why the page has to be shown again. */
function findProblem(decision: Decision, active: ActiveScenarios): string | undefined {
  if ('problem' in decision) return decision.problem
  return 'name' in decision && active.has('account_deleted') ? 'The account with this name was deleted.' : undefined
}
