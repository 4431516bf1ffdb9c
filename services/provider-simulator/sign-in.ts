import { type Context, readForm } from '#http'
import { newToken } from '#runtime'
import type { Client } from './clients.ts'
import { createExpiringMap } from './expiring-map.ts'
import { readName } from './names.ts'
import { allowFormPost, allowRedirectsAfterForm, type Render } from './pages.ts'
import { redirect } from './redirect.ts'
import { describeScenariosAt } from './scenarios/description.ts'
import type { ActiveScenarios, Scenarios } from './scenarios/scenarios.ts'

/** What a provider asks the end user, and how the login continues; stored here until the form is sent. */
export interface Question {
  readonly provider: { readonly name: string; readonly title: string }
  readonly client: Client
  readonly redirect_uri: string
  /** What the application will receive, in words. */
  readonly shares: readonly string[]
  /** A further choice of the end user. */
  readonly option?: string
  /** Where the browser goes when the end user of this name allows. */
  readonly allow: (name: string, optionChosen: boolean) => Onward | Promise<Onward>
  readonly deny: () => Onward
}

/** An address to redirect to, or a form that the browser posts to the application; fields that are undefined are left out. */
export type Onward = string | { readonly action: string; readonly fields: Readonly<Record<string, string | undefined>> }

/** The one page on which end users sign in and consent, for all providers. */
export interface SignIn {
  readonly ask: (ctx: Context, question: Question) => void
  /** Sends the browser on without a question. */
  readonly goOn: (ctx: Context, from: Pick<Question, 'provider' | 'client'>, onward: Onward) => void
  readonly answer: (ctx: Context) => Promise<void>
}

/** How long an end user may take to answer. Our choice. */
const questionLifetimeSeconds = 600

export function createSignIn({ render, scenarios }: { render: Render; scenarios: Scenarios }): SignIn {
  const questions = createExpiringMap<Question>(questionLifetimeSeconds)

  const ended = (ctx: Context) =>
    render.refusal(ctx, 400, {
      heading: 'This sign-in has ended',
      message: 'It was answered already or took too long. Go back to the application and begin again.',
    })

  const show = (ctx: Context, status: number, handle: string, retry: { typed?: string; problem?: string } = {}) => {
    const question = questions.get(handle)
    if (question === undefined) return ended(ctx)
    const { client, redirect_uri, provider } = question
    const application = { name: client.name ?? client.client_id, host: new URL(redirect_uri).host }
    allowRedirectsAfterForm(ctx)
    render.page(ctx, status, 'sign-in', {
      ...question,
      application,
      handle,
      active: describeScenariosAt(provider.name, scenarios),
      ...retry,
    })
  }

  const goOn = (ctx: Context, { provider, client }: Pick<Question, 'provider' | 'client'>, onward: Onward) => {
    if (typeof onward === 'string') return redirect(ctx, onward)
    const { action, fields } = onward
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
    goOn,
    ask(ctx, question) {
      if (scenarios.activeFor(question.provider.name).has('refuse')) return goOn(ctx, question, question.deny())
      const handle = newToken()
      questions.set(handle, question)
      show(ctx, 200, handle)
    },
    async answer(ctx) {
      const { values } = await readForm(ctx.req)
      const handle = values.get('handle') ?? ''
      const question = questions.get(handle)
      if (question === undefined) return ended(ctx)
      const typed = values.get('user') ?? ''
      const answer = readAnswer(values.get('decision'), typed)
      const active = scenarios.activeFor(question.provider.name, 'name' in answer ? answer.name : undefined)
      const problem = problemOf(answer, active)
      if (problem !== undefined) return show(ctx, 400, handle, { typed, problem })
      questions.take(handle)
      const allows = 'name' in answer && !active.has('refuse')
      const optionChosen = question.option !== undefined && values.has('option')
      const onward = allows ? await question.allow(answer.name, optionChosen) : question.deny()
      goOn(ctx, question, onward)
    },
  }
}

type Answer = { readonly name: string } | { readonly problem: string } | { readonly denied: true }

function readAnswer(decision: string | undefined, typed: string): Answer {
  if (decision === 'deny') return { denied: true }
  return decision === 'allow' ? readName(typed) : { problem: 'Choose Allow or Deny.' }
}

/** Why the page has to be shown again. */
function problemOf(answer: Answer, active: ActiveScenarios): string | undefined {
  if ('problem' in answer) return answer.problem
  return 'name' in answer && active.has('account_deleted') ? 'The account of this name was deleted.' : undefined
}
