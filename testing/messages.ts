import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findParameterErrors, parametersOf as parametersOfText } from '#messages'

/** A message in ICU MessageFormat. */
export interface Message {
  /** Path of the file, from the root of the repository. */
  readonly file: string
  /** Key with groups, e.g. `states.ready`. */
  readonly key: string
  /** Name of the message, the same in every language, e.g. `users.json: states.ready`. */
  readonly name: string
  readonly text: string
}

/** Reads the messages of all JSON files below the directory of a language. Their names start with the relative path. */
export function readMessages(directory: string): Message[] {
  return globSync('**/*.json', { cwd: directory })
    .sort()
    .flatMap((path) => readMessagesOf(join(directory, path), path))
}

/** Reads the messages of one JSON file, with names that start with `path`. */
export function readMessagesOf(file: string, path: string): Message[] {
  return messagesIn(JSON.parse(readFileSync(file, 'utf8')), { file, path })
}

/** The messages of an object. */
export function messagesIn(
  entries: object,
  from: { readonly file: string; readonly path: string },
  group = '',
): Message[] {
  return Object.entries(entries).flatMap(([one, entry]: [string, unknown]) => {
    const key = `${group}${one}`
    if (typeof entry !== 'string') return messagesIn(Object(entry), from, `${key}.`)
    return [{ file: from.file, key, name: `${from.path}: ${key}`, text: entry }]
  })
}

/** Returns the errors of a translation by message name; empty if there are none. */
export function findTranslationErrors(originals: readonly Message[], translations: readonly Message[]): string[] {
  const known = new Set(originals.map(({ name }) => name))
  const translated = new Map(translations.map((message) => [message.name, message]))
  const unknown = translations.filter(({ name }) => !known.has(name))
  return [
    ...unknown.map(({ name }) => `${name} is not a message`),
    ...originals.flatMap((original) => {
      const translation = translated.get(original.name)
      if (translation === undefined) return [`${original.name} is missing`]
      // Reports invalid syntax with its file and key.
      parametersOf(translation)
      return findParameterErrors(original.text, translation.text).map((error) => `${original.name} ${error}`)
    }),
  ]
}

/**
 * Returns the parameters of a message with their TypeScript types.
 *
 * @throws Error with file and key if the syntax is invalid, or if the message has a tag, which pages do not support
 */
export function parametersOf({ file, key, text }: Message): Map<string, string> {
  try {
    return parametersOfText(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${file}: ${key} is not valid ICU MessageFormat (${reason}).`, { cause: error })
  }
}

/**
 * Generates TypeScript that declares the parameters of messages; a test compares it with a file.
 *
 * @param pathOf returns the path of a message in the catalogue, e.g. `['users', 'count']`
 */
export function declareParameters(
  messages: readonly Message[],
  pathOf: (message: Message) => readonly string[],
): string {
  const declared: Group = new Map()
  for (const message of messages) {
    const parameters = [...parametersOf(message)].map(([name, type]) => `${name}: ${type}`)
    if (parameters.length > 0) insert(declared, pathOf(message), `{ ${parameters.join('; ')} }`)
  }
  return `/** Generated from the English messages. */\nexport interface MessageParameters ${write(declared)}\n`
}

type Group = Map<string, Group | string>

function insert(group: Group, [name = '', ...rest]: readonly string[], declaration: string): void {
  if (rest.length === 0) {
    group.set(name, declaration)
    return
  }
  const next = group.get(name)
  const inner: Group = next instanceof Map ? next : new Map()
  group.set(name, inner)
  insert(inner, rest, declaration)
}

function write(group: Group, indent = ''): string {
  const lines = [...group].map(
    ([name, entry]) => `${indent}  ${name}: ${typeof entry === 'string' ? entry : write(entry, `${indent}  `)}\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}
