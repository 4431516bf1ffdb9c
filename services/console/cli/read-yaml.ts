import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Document, isMap, isNode, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { listProblems } from '../input-problems.ts'
import { CliError } from './cli-error.ts'
import { SecretFile } from './domain/secret-reference.ts'
import { getErrorCode } from './error-code.ts'
import { describeRoundedNumber, findRoundedNumber } from './find-rounded-number.ts'
import { type Io, readStdin } from './io.ts'

/**
 * Reads a YAML file of settings. Paths of secret files (`from_file`) are relative to it.
 *
 * @param name `-` is standard input
 * @throws CliError `usage` with file, line and path of every problem, or the line of a number that would be rounded
 */
export async function readYaml<T>(name: string, schema: z.ZodType<T>, io: Io): Promise<T> {
  return parseFile(name, await readText(name, io), schema)
}

async function readText(name: string, io: Io): Promise<string> {
  try {
    return await (name === '-' ? readStdin(io) : readFile(name, 'utf8'))
  } catch (error) {
    throw new CliError('usage', `${name} cannot be read (${getErrorCode(error)}).`, { cause: error })
  }
}

function parseFile<T>(name: string, text: string, schema: z.ZodType<T>): T {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const malformed = document.errors.map(({ pos, message }) => `${name}:${lines.linePos(pos[0]).line}: ${message}`)
  if (malformed.length > 0) throw new CliError('usage', malformed.join('\n'))
  const wanted = toPlainValue(document, name)
  const checked = schema.safeParse(wanted)
  if (checked.success) {
    const line = findRoundedNumber(document, lines)
    if (line !== undefined) throw new CliError('usage', `${name}:${line}: ${describeRoundedNumber(line)}`)
    return resolveSecretFiles(name === '-' ? '.' : dirname(name), checked.data)
  }
  const problems = listProblems(checked.error, wanted).map(({ path, message }) => {
    const hint = message === 'must be a string' && typeof document.getIn(path) !== 'object' ? '; put it in quotes' : ''
    return `${name}:${findLine(document, path, lines)}: ${path.join('.') || 'the file'} ${message}${hint}`
  })
  throw new CliError('usage', problems.join('\n'))
}

function toPlainValue(document: Document, name: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw new CliError('usage', `${name}: ${error instanceof Error ? error.message : 'cannot be read as YAML'}`)
  }
}

/** Finds the line of the deepest part of the path that the file contains. */
function findLine(document: Document, path: readonly string[], lines: LineCounter): number {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents
  const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === path.at(-1)) : undefined
  const node = pair?.key ?? document.getIn(path, true)
  if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  return path.length === 0 ? 1 : findLine(document, path.slice(0, -1), lines)
}

/** Resolves the paths of secret files relative to the file that names them. */
function resolveSecretFiles<T>(directory: string, value: T): T {
  // Replaces only secret files by others, so the type stays.
  return resolveValue(directory, value) as T
}

function resolveValue(directory: string, value: unknown): unknown {
  if (value instanceof SecretFile) return new SecretFile(resolve(directory, value.path))
  if (Array.isArray(value)) return value.map((item) => resolveValue(directory, item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolveValue(directory, part)]))
}
