import { z } from 'zod'
import { simulatedNames } from '../simulated-names.ts'
import { parseName } from '../user-name.ts'
import { getScenarioKind, scenarioNames } from './scenario-kinds.ts'

/** The duration of a scenario, in seconds. Scenarios end by themselves because simulators are shared. Our choice. */
export const scenarioDuration = { usual: 3_600, least: 1, most: 86_400 } as const

const Name = z.string().transform((typed, context) => {
  const read = parseName(typed)
  if ('name' in read) return read.name
  context.addIssue({ code: 'custom', message: read.problem })
  return z.NEVER
})

/** The input of `POST /scenarios`. The page shows its error messages. */
export const ScenarioInput = z
  .strictObject({
    scenario: z.enum(scenarioNames, 'Choose one of the available scenarios.'),
    provider: z.enum(simulatedNames, `Choose one of ${simulatedNames.join(', ')}.`).optional(),
    name: Name.optional(),
    seconds: z.number('Enter a number.').optional(),
    lasts_seconds: z
      .int('Enter a whole number of seconds.')
      .min(scenarioDuration.least, `Enter at least ${scenarioDuration.least}.`)
      .max(scenarioDuration.most, `Enter at most ${scenarioDuration.most}.`)
      .default(scenarioDuration.usual),
  })
  .transform((input, context) => {
    const { subject, title, seconds } = getScenarioKind(input.scenario)
    const reject = (field: keyof typeof input, message: string) => {
      context.addIssue({ code: 'custom', path: [field], message })
      return z.NEVER
    }
    if (subject === 'server') {
      if (input.provider === undefined) return reject('provider', `Choose a provider: “${title}” affects its servers.`)
      if (input.name !== undefined)
        return reject('name', `Leave the name empty: “${title}” affects a provider’s servers, not a user.`)
    } else if (input.provider === undefined && input.name === undefined) {
      return reject('name', 'Enter a name, choose a provider, or both.')
    }
    if (seconds === undefined) {
      return input.seconds === undefined
        ? input
        : reject('seconds', `Leave the seconds empty: “${title}” has no duration.`)
    }
    const chosen = input.seconds ?? seconds.usual
    if (chosen < seconds.least || chosen > seconds.most) {
      return reject('seconds', `Enter ${seconds.least} to ${seconds.most} seconds for “${title}”.`)
    }
    return { ...input, seconds: chosen }
  })
export type ScenarioInput = z.output<typeof ScenarioInput>
