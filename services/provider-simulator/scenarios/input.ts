import { z } from 'zod'
import { loginProviders } from '#contracts'
import { readName } from '../names.ts'
import { kindOf, scenarioNames } from './kinds.ts'

/** How long a scenario lasts, in seconds. It ends by itself because a simulator is shared. Our choice. */
export const duration = { usual: 3_600, least: 1, most: 86_400 } as const

const Name = z.string().transform((typed, context) => {
  const read = readName(typed)
  if ('name' in read) return read.name
  context.addIssue({ code: 'custom', message: read.problem })
  return z.NEVER
})

/** A scenario to start, the input of `POST /behaviours`; the page shows the messages as they are. */
export const ScenarioInput = z
  .strictObject({
    behaviour: z.enum(scenarioNames, 'Choose one of the behaviours there are.'),
    provider: z.enum(loginProviders, `Choose one of ${loginProviders.join(', ')}.`).optional(),
    name: Name.optional(),
    seconds: z.number('Give a number.').optional(),
    lasts_seconds: z
      .int('Give a whole number of seconds.')
      .min(duration.least, `Give at least ${duration.least}.`)
      .max(duration.most, `Give at most ${duration.most}.`)
      .default(duration.usual),
  })
  .transform((input, context) => {
    const { subject, title, seconds } = kindOf(input.behaviour)
    const reject = (field: keyof typeof input, message: string) => {
      context.addIssue({ code: 'custom', path: [field], message })
      return z.NEVER
    }
    if (subject === 'server') {
      if (input.provider === undefined)
        return reject('provider', `Choose the provider: “${title}” is about its servers.`)
      if (input.name !== undefined)
        return reject('name', `Leave the name out: “${title}” is about a provider’s servers, not about a person.`)
    } else if (input.provider === undefined && input.name === undefined) {
      return reject('name', 'Choose whom it is about: a name, a provider, or both.')
    }
    if (seconds === undefined) {
      return input.seconds === undefined ? input : reject('seconds', `Leave the seconds out: “${title}” has none.`)
    }
    const chosen = input.seconds ?? seconds.usual
    if (chosen < seconds.least || chosen > seconds.most) {
      return reject('seconds', `Give ${seconds.least} to ${seconds.most} seconds for “${title}”.`)
    }
    return { ...input, seconds: chosen }
  })
export type ScenarioInput = z.output<typeof ScenarioInput>
