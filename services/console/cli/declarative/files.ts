import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Document, isMap, isNode, LineCounter, parseDocument } from 'yaml'
import { complaintsOf } from '../../complaints.ts'
import { Desired } from '../domain/desired.ts'
import { codeOf } from '../error-code.ts'
import { Failure } from '../failure.ts'
import { type Io, readStdin } from '../io.ts'

/**
 * What several files want, as one. An account may be spread over files, a site may not.
 *
 * @param names of files; `-` is standard input
 * @throws Failure `usage`, with file, line and path of every complaint
 */
export async function desiredIn(names: readonly string[], io: Io): Promise<Desired> {
  const files = await Promise.all(names.map(async (name) => ({ name, desired: parsed(name, await textOf(name, io)) })))
  const accounts: Desired['accounts'] = {}
  const from = new Map<string, string>()
  const claim = (path: string, name: string) => {
    const other = from.get(path)
    if (other !== undefined) throw new Failure('usage', `${path} is in ${other} and again in ${name}. Write it once.`)
    from.set(path, name)
  }
  for (const { name, desired } of files)
    for (const [account, wanted] of Object.entries(desired.accounts)) {
      if (wanted.name !== undefined) claim(`accounts.${account}.name`, name)
      for (const siteId of Object.keys(wanted.sites ?? {})) claim(`accounts.${account}.sites.${siteId}`, name)
      const before = accounts[account]
      accounts[account] = { ...before, ...wanted, sites: { ...before?.sites, ...wanted.sites } }
    }
  return { accounts }
}

async function textOf(name: string, io: Io): Promise<string> {
  try {
    return await (name === '-' ? readStdin(io) : readFile(name, 'utf8'))
  } catch (error) {
    throw new Failure('usage', `${name} cannot be read (${codeOf(error)}).`, { cause: error })
  }
}

function parsed(name: string, text: string): Desired {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const malformed = document.errors.map(({ pos, message }) => `${name}:${lines.linePos(pos[0]).line}: ${message}`)
  if (malformed.length > 0) throw new Failure('usage', malformed.join('\n'))
  const wanted = plainOf(document, name)
  const checked = Desired.safeParse(wanted)
  if (checked.success) return withPathsFrom(name === '-' ? '.' : dirname(name), checked.data)
  const complaints = complaintsOf(checked.error, wanted).map(({ path, message }) => {
    const hint = message === 'must be a text' && typeof document.getIn(path) !== 'object' ? '; put it in quotes' : ''
    return `${name}:${lineOf(document, path, lines)}: ${path.join('.') || 'the file'} ${message}${hint}`
  })
  throw new Failure('usage', complaints.join('\n'))
}

function plainOf(document: Document, name: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw new Failure('usage', `${name}: ${error instanceof Error ? error.message : 'cannot be read as YAML'}`)
  }
}

/** The line of the deepest part of the path that the file has. */
function lineOf(document: Document, path: readonly string[], lines: LineCounter): number {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents
  const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === path.at(-1)) : undefined
  const node = pair?.key ?? document.getIn(path, true)
  if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  return path.length === 0 ? 1 : lineOf(document, path.slice(0, -1), lines)
}

/** With secrets' files named from where the file lies that names them. */
function withPathsFrom<T>(directory: string, value: T): T {
  // Walks a tree of JSON, of which it changes texts alone.
  return walked(directory, value) as T
}

function walked(directory: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => walked(directory, item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, part]) =>
    key === 'from_file' && typeof part === 'string' ? [key, resolve(directory, part)] : [key, walked(directory, part)],
  )
  return Object.fromEntries(entries)
}
