import { z } from 'zod'
import { loginProviders } from '#contracts'
import { readName } from '../names.ts'
import { behaviour_names, kindOf } from './kinds.ts'

/** In seconds. A simulator is shared: what somebody forgot to end ends by itself. Our choice. */
export const lasts = { usual: 3_600, least: 1, most: 86_400 } as const

const Name = z.string().transform((typed, context) => {
  const read = readName(typed)
  if ('name' in read) return read.name
  context.addIssue({ code: 'custom', message: read.problem })
  return z.NEVER
})

/** A behaviour to choose, as `POST /behaviours` takes it; every complaint is a sentence for people. */
export const Wanted = z
  .strictObject({
    behaviour: z.enum(behaviour_names, 'Choose one of the behaviours there are.'),
    provider: z.enum(loginProviders, `Choose one of ${loginProviders.join(', ')}.`).optional(),
    name: Name.optional(),
    seconds: z.number('Give a number.').optional(),
    lasts_seconds: z
      .int('Give a whole number of seconds.')
      .min(lasts.least, `Give at least ${lasts.least}.`)
      .max(lasts.most, `Give at most ${lasts.most}.`)
      .default(lasts.usual),
  })
  .transform((wanted, context) => {
    const { subject, title, seconds } = kindOf(wanted.behaviour)
    const complain = (field: keyof typeof wanted, message: string) => {
      context.addIssue({ code: 'custom', path: [field], message })
      return z.NEVER
    }
    if (subject === 'server') {
      if (wanted.provider === undefined)
        return complain('provider', `Choose the provider: “${title}” is about its servers.`)
      if (wanted.name !== undefined)
        return complain('name', `Leave the name out: “${title}” is about a provider’s servers, not about a person.`)
    } else if (wanted.provider === undefined && wanted.name === undefined) {
      return complain('name', 'Choose whom it is about: a name, a provider, or both.')
    }
    if (seconds === undefined) {
      return wanted.seconds === undefined ? wanted : complain('seconds', `Leave the seconds out: “${title}” has none.`)
    }
    const chosen = wanted.seconds ?? seconds.usual
    if (chosen < seconds.least || chosen > seconds.most) {
      return complain('seconds', `Give ${seconds.least} to ${seconds.most} seconds for “${title}”.`)
    }
    return { ...wanted, seconds: chosen }
  })
export type Wanted = z.output<typeof Wanted>
