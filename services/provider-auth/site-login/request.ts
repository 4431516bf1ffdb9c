import type { Parameters } from '#http'
import { lengthOf, state_maximum } from '../login/respond.ts'

const known_parameters = ['callback', 'state', 'token', 'csrf', 'decision', 'ui_locales']

/** Whether parameters can be read one way only, and the state returned. */
export function areReadable({ values, repeated }: Parameters): boolean {
  return !known_parameters.some((name) => repeated.has(name)) && lengthOf(values.get('state')) <= state_maximum
}
