import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'

/** Type of a parameter without a format. */
export const anyValue = 'string | number'
const types: Readonly<Partial<Record<TYPE, string>>> = {
  [TYPE.number]: 'number',
  [TYPE.plural]: 'number',
  [TYPE.date]: 'Date',
  [TYPE.time]: 'Date',
  [TYPE.select]: 'string',
}

/**
 * Returns the parameters of a message in ICU MessageFormat with their TypeScript types.
 *
 * @throws Error if the syntax is invalid, or if the message has a tag, which pages do not support
 */
export function parametersOf(text: string): Map<string, string> {
  const parameters = new Map<string, string>()
  const collect = (elements: readonly MessageFormatElement[]) => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue
      if (element.type === TYPE.tag) throw new Error(`it has the tag <${element.value}>`)
      const known = parameters.get(element.value) ?? anyValue
      parameters.set(element.value, known === anyValue ? (types[element.type] ?? anyValue) : known)
      if (element.type === TYPE.select || element.type === TYPE.plural)
        for (const { value } of Object.values(element.options)) collect(value)
    }
  }
  collect(parse(text))
  return parameters
}

/** Returns the errors of a translation's parameters; empty if it has those of the original. */
export function findParameterErrors(original: string, translation: string): string[] {
  const expected = parametersOf(original)
  const own = parametersOf(translation)
  const missing = [...expected.keys()].filter((parameter) => !own.has(parameter))
  return [
    ...missing.map((parameter) => `lacks the parameter ${parameter}`),
    ...[...own].flatMap(([parameter, type]) => {
      const expectedType = expected.get(parameter)
      if (expectedType === undefined) return [`has the unknown parameter ${parameter}`]
      return type === anyValue || type === expectedType ? [] : [`uses the ${expectedType} ${parameter} as ${type}`]
    }),
  ]
}
