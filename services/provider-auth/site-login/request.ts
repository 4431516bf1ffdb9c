import type { Parameters } from '#http'
import { lengthOf, stateMaximum } from '../login/respond.ts'

const knownParameters = ['callback', 'state', 'token', 'csrf', 'decision', 'ui_locales']

/** Whether parameters can be read one way only, and the state returned. */
export function areReadable({ values, repeated }: Parameters): boolean {
  return !knownParameters.some((name) => repeated.has(name)) && lengthOf(values.get('state')) <= stateMaximum
}
