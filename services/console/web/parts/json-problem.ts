import { isExactNumber } from '#contracts'

/** Why a text is not a JSON object that can be stored as it is written, with the line. */
export interface JsonProblem {
  readonly problem: 'not_json' | 'not_an_object' | 'rounded_number'
  /** From 1. */
  readonly line: number
}

const space = /[\t\n\r ]*/y
const quoted = /"(?:[^"\\\n\r]|\\.)*"/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const word = /true|false|null/y

class Problem extends Error {
  override readonly name = 'Problem'
  readonly problem: JsonProblem['problem']
  readonly position: number
  constructor(problem: JsonProblem['problem'], position: number) {
    super(problem)
    this.problem = problem
    this.position = position
  }
}

/** Finds the first problem (RFC 8259). The messages of `JSON.parse` name the line in some browsers only. */
export function findJsonProblem(text: string): JsonProblem | undefined {
  try {
    scanObject(text)
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { problem: error.problem, line: text.slice(0, error.position).split('\n').length }
  }
}

/** @throws Problem */
function scanObject(text: string): void {
  let position = 0

  /** Passes over what the pattern matches, and returns it. */
  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = position
    const [match] = pattern.exec(text) ?? []
    if (match !== undefined) position += match.length
    return match
  }

  function takeSign(sign: string): boolean {
    take(space)
    if (text[position] !== sign) return false
    position += 1
    return true
  }

  function requireSign(sign: string): void {
    if (!takeSign(sign)) throw new Problem('not_json', position)
  }

  function requireString(): void {
    take(space)
    const start = position
    if (!isJson(take(quoted) ?? '')) throw new Problem('not_json', start)
  }

  function scanList(end: string, scanItem: () => void): void {
    if (takeSign(end)) return
    do scanItem()
    while (takeSign(','))
    requireSign(end)
  }

  function scanMember(): void {
    requireString()
    requireSign(':')
    scanValue()
  }

  function scanValue(): void {
    if (takeSign('{')) scanList('}', scanMember)
    else if (takeSign('[')) scanList(']', scanValue)
    else if (text[position] === '"') requireString()
    else if (take(word) === undefined) requireNumber()
  }

  function requireNumber(): void {
    const start = position
    const source = take(number)
    if (source === undefined) throw new Problem('not_json', start)
    if (!isExactNumber(source)) throw new Problem('rounded_number', start)
  }

  take(space)
  const isDataRecord = text[position] === '{'
  scanValue()
  take(space)
  if (position < text.length) throw new Problem('not_json', position)
  if (!isDataRecord) throw new Problem('not_an_object', 0)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
