import type { Parameters } from '#http'
import { byteLengthOf, maxStateBytes } from '../../response/redirect-location.ts'

const knownParameters = [
  'callback',
  'callback_if_failed',
  'state',
  'extended_items',
  'token',
  'csrf',
  'decision',
  'ui_locales',
]

/** Whether no parameter is repeated and the state can be returned. */
export function areParametersValid({ values, repeated }: Parameters): boolean {
  return !knownParameters.some((name) => repeated.has(name)) && byteLengthOf(values.get('state')) <= maxStateBytes
}
