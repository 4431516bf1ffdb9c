import { CliExit } from '../cli-error.ts'
import { parseFormat } from '../format.ts'
import type { Io } from '../io.ts'
import { printResponse } from '../print.ts'
import { readYaml } from '../read-yaml.ts'
import { formatCell } from '../table.ts'
import { ComparisonFile, type Deployment, openDeployment } from './deployment.ts'
import { type Difference, describeKind, listDifferences } from './differences.ts'
import { type ComparedRequest, listRequests } from './requests.ts'
import { sendComparedRequest } from './send.ts'

export interface CompareOptions {
  readonly file: string
  readonly allowHttp?: boolean
}

interface Result {
  readonly request: string
  readonly result: 'same' | 'different' | 'skipped'
  readonly differences: readonly Difference[]
}

/**
 * Compares two deployments and prints the result of each request.
 *
 * @throws CliError, and CliExit `differs` if responses differ
 */
export async function compareDeployments(options: CompareOptions, io: Io): Promise<void> {
  const comparison = await readYaml(options.file, ComparisonFile, io)
  const before = await openDeployment('before', comparison.before, options, io)
  const after = await openDeployment('after', comparison.after, options, io)
  const results: Result[] = []
  for (const request of listRequests(comparison.users)) results.push(await compareResponses(request, before, after, io))
  const format = parseFormat({ ...options })
  if (format === 'json' || format === 'yaml') await printResponse({ requests: results }, { ...options }, io)
  else io.print(results.map(formatResult).join(''))
  if (results.some(({ result }) => result === 'different')) throw new CliExit('differs')
}

async function compareResponses(
  { title, isPublic = false, build }: ComparedRequest,
  before: Deployment,
  after: Deployment,
  io: Io,
): Promise<Result> {
  const [first, second] = [build(before), build(after)]
  if (first === undefined || second === undefined) return { request: title, result: 'skipped', differences: [] }
  const [responseBefore, responseAfter] = await Promise.all([
    sendComparedRequest(first, { title, name: 'before' }, before, io),
    sendComparedRequest(second, { title, name: 'after' }, after, io),
  ])
  // An error is not about a user; a request that one deployment accepts unexpectedly may be.
  const showsValues = isPublic || [responseBefore, responseAfter].every(({ status }) => status >= 400)
  const differences = listDifferences(responseBefore, responseAfter).map((difference) =>
    showsValues || !difference.path.startsWith('body') ? difference : hideValues(difference),
  )
  return { request: title, result: differences.length > 0 ? 'different' : 'same', differences }
}

/** Equal kinds mean that the values differ. */
function hideValues({ path, before, after }: Difference): Difference {
  return { path, before: describeKind(before), after: describeKind(after) }
}

function formatResult({ request, result, differences }: Result): string {
  const lines = differences.map(
    ({ path, before, after }) => `             ${formatCell(path)}: ${formatValue(before)} → ${formatValue(after)}\n`,
  )
  return `${result.padEnd(11)}${request}\n${lines.join('')}`
}

function formatValue(value: unknown): string {
  return value === undefined ? '(absent)' : formatCell(JSON.stringify(value))
}
