import { z } from 'zod'
import { createReason } from '#admin-api'
import { listProblems } from '../input-problems.ts'
import type { ForeignFormat, ForeignProviderNames } from './convert/common.ts'
import type { OpenedText } from './head-of-text.ts'
import { type JsonItem, readJsonItems } from './json-items.ts'
import { readJsonLines } from './json-lines.ts'
import {
  ImportFileError,
  isRejected,
  type NumberedRecord,
  type ReadRecord,
  type RejectedRecord,
  rejectRecord,
} from './record.ts'

export interface ConversionOptions {
  readonly providers: ForeignProviderNames
  /** Whether blocked users are imported; they are blocked here, too. */
  readonly importBlocked: boolean
  /** Whether users are rejected if a provider's account would be omitted. */
  readonly strict: boolean
  /** The realm whose users are read, of a file of several. */
  readonly realm: string | undefined
}

/** A file in which nothing is a user among so many records is one of another system. Our choice. */
const mostOthersBeforeFirstUser = 1_000

/**
 * Reads and converts the users of another system.
 *
 * @param open reads the file from its start
 * @throws ImportFileError if nothing in the file looks like a user of the system, or the file has several realms
 */
export function readForeignUsers(
  format: ForeignFormat,
  opened: OpenedText,
  open: () => AsyncIterable<string>,
  options: ConversionOptions,
): AsyncIterable<ReadRecord> {
  return convertUsers(format, readUsers(format, opened, open, options.realm), options)
}

/** Converts users. @throws ImportFileError if none of them looks like a user of the system */
export async function* convertUsers(
  format: ForeignFormat,
  users: AsyncIterable<NumberedRecord>,
  options: ConversionOptions,
): AsyncGenerator<ReadRecord> {
  const others: ReadRecord[] = []
  let hasUser = false
  for await (const { line, record } of users) {
    const isUser = !isRejected(record) && isObject(record) && format.isUser(record)
    const read = isUser ? convert(line, record, format, options) : { line, record: rejectOther(record, format) }
    hasUser ||= isUser
    if (!hasUser) others.push(read)
    else yield* [...others.splice(0), read]
    if (others.length > mostOthersBeforeFirstUser) break
  }
  if (others.length > 0) throw new ImportFileError(createReason('file_without_users', { system: format.title }))
}

function rejectOther(record: unknown, { title }: ForeignFormat): RejectedRecord {
  return isRejected(record) ? record : rejectRecord('', createReason('not_a_user_of', { system: title }))
}

function convert(line: number, user: unknown, format: ForeignFormat, options: ConversionOptions): ReadRecord {
  try {
    const { record, isBlocked, omitted } = format.convert(user, options.providers)
    if (isBlocked && !options.importBlocked) return { line, record: rejectRecord('', createReason('user_is_blocked')) }
    const [unknown] = omitted.filter(({ because }) => because !== 'not_of_a_provider')
    if (options.strict && unknown !== undefined)
      return { line, record: rejectRecord('links', createReason('account_omitted', { provider: unknown.name })) }
    return { line, record: isBlocked ? { ...record, block: { by: format.title } } : record, omitted }
  } catch (error) {
    return { line, record: toRejected(error, user) }
  }
}

/** The problems of a record that has not the form of its system. */
function toRejected(error: unknown, user: unknown): RejectedRecord {
  if (!(error instanceof z.ZodError)) throw error
  const problems = listProblems(error, user).map(({ path, message, reason }) => ({
    field: path.join('.'),
    reason: reason ?? createReason('not_as_expected', { problem: message }),
  }))
  return { rejected: problems }
}

async function* readUsers(
  { list, isUser }: ForeignFormat,
  { head, isWhole, text }: OpenedText,
  open: () => AsyncIterable<string>,
  realm: string | undefined,
): AsyncGenerator<NumberedRecord> {
  if (hasUserInFirstLine(head, isWhole, isUser)) return yield* readJsonLines(text)
  const start = await readStart(head)
  if (start.some(({ path, value }) => path.length === 0 && isObject(value) && isUser(value)))
    return yield* readDocuments(text)
  // A list of realms has their users after much else, a list of pages at once.
  const isListOfRealms = start.some((item) => isNameOfRealm(item) && item.path.length === 2)
  const isListOfPages = isListOfRealms || start.some(({ path }) => path.length === 3 && path[1] === list)
  const chosen = isListOfRealms ? await chooseRealm(open(), realm) : realm
  let line = 0
  let current: unknown
  const realms: string[] = []
  for await (const { path, value } of readJsonItems(text, pathsOf(list, head, isListOfPages))) {
    if (path.at(-1) === 'realm') {
      current = value
      realms.push(String(value))
    } else {
      line++
      if (chosen === undefined || current === undefined || chosen === current) yield { line, record: value }
    }
  }
  if (chosen !== undefined && realms.length > 0 && !realms.includes(chosen))
    throw new ImportFileError(createReason('file_of_several_realms', { realms: realms.join(', ') }))
}

/** Whether a value is the name of the realm of a document, or of a list of them. A realm also has lists of roles by that name. */
export function isNameOfRealm({ path, value }: JsonItem): boolean {
  const [first] = path
  const isInPlace = path.length === 1 || (path.length === 2 && typeof first === 'number')
  return isInPlace && path.at(-1) === 'realm' && typeof value === 'string'
}

/** The paths of users and, before them, of the name of their realm. Only they are in memory. */
function pathsOf(list: string, head: string, isListOfPages: boolean): readonly string[] {
  if (isListOfPages) return ['$.*.realm', `$.*.${list}.*`]
  return head.trimStart().startsWith('[') ? ['$.*'] : ['$.realm', `$.${list}.*`]
}

/** Reads documents after each other, each on several lines. */
export async function* readDocuments(text: AsyncIterable<string>): AsyncGenerator<NumberedRecord> {
  let line = 0
  for await (const { value } of readJsonItems(text, ['$'])) yield { line: ++line, record: value }
}

/** The name of the only realm, or of the chosen one. @throws ImportFileError if there are several, and none is chosen */
async function chooseRealm(text: AsyncIterable<string>, chosen: string | undefined): Promise<string | undefined> {
  const realms: string[] = []
  for await (const { value } of readJsonItems(text, ['$.*.realm'])) realms.push(String(value))
  if (chosen !== undefined && realms.includes(chosen)) return chosen
  if (chosen === undefined && realms.length <= 1) return undefined
  throw new ImportFileError(createReason('file_of_several_realms', { realms: realms.join(', ') }))
}

function hasUserInFirstLine(head: string, isWhole: boolean, isUser: ForeignFormat['isUser']): boolean {
  const value = parseFirstLine(head, isWhole)
  return isObject(value) && isUser(value)
}

/** The value in the first line that is not empty; undefined if the line is no JSON of its own. */
export function parseFirstLine(head: string, isWhole: boolean): unknown {
  const start = head.trimStart()
  const end = start.indexOf('\n')
  if (end < 0 && !isWhole) return undefined
  try {
    return JSON.parse(end < 0 ? start : start.slice(0, end))
  } catch {
    return undefined
  }
}

/** Values near the start of a document at which a user or a realm can be. */
export async function readStart(head: string): Promise<readonly JsonItem[]> {
  const found: JsonItem[] = []
  try {
    for await (const item of readJsonItems(once(head), ['$', '$.*', '$.*.*', '$.*.*.*'])) found.push(item)
  } catch (error) {
    // The head usually ends within a value.
    if (!(error instanceof ImportFileError)) throw error
  }
  return found
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
