import { type Attempt, repeatUntilDefinite } from '../client.ts'
import { waitForRecovery } from '../invariants.ts'
import type { FaultPoint } from '../proxy/counting-proxy.ts'
import type { Databases, FaultStack, Member } from '../stack.ts'
import { answerWithinMs, type createCaseRunner, type Fault, type FaultCase, type FaultOperation } from './fault-case.ts'
import { normalize, readState } from './state-of-case.ts'

export type RunCase = ReturnType<typeof createCaseRunner>

/** The faults of one kind, at every point that the operation reaches. */
export interface Series {
  readonly participant: string
  /** Such as "kill before statement". */
  readonly fault: string
  readonly tried: number
  readonly fired: number
  readonly cases: readonly FaultCase[]
}

export interface OperationResult {
  readonly operation: string
  readonly series: readonly (Omit<Series, 'cases'> & { readonly violations: number; readonly worstMs: number })[]
  readonly violations: readonly string[]
  /** Until all jobs were done after the last answer. */
  readonly recoveryMs: number
}

export interface MatrixOptions {
  /** Undefined: all of the operation. */
  readonly participants: readonly string[] | undefined
  /** With `core`, only every `stride`-th point is tried. */
  readonly stride: number
  readonly print: (line: string) => void
}

const places: readonly Pick<FaultPoint, 'kind' | 'place'>[] = [
  { kind: 'statement', place: 'before' },
  { kind: 'statement', place: 'after' },
  { kind: 'sent', place: 'before' },
  { kind: 'sent', place: 'after' },
  { kind: 'received', place: 'before' },
]
const actions = ['cut', 'kill'] as const
/** No operation has so many statements. */
const mostPoints = 100
/** Cases that are compared at the same time. More would be late on a slow machine. */
const readAtOnce = 10

/** Runs an operation with a fault at every point of every participant, and checks answers, effects and invariants. */
export async function runMatrix(
  operation: FaultOperation,
  { stack, runCase }: { stack: FaultStack; runCase: RunCase },
  { participants, stride, print }: MatrixOptions,
): Promise<OperationResult> {
  const undisturbed = await runCase(operation, undefined)
  const { answer } = await undisturbed.outcome
  if (answer === undefined || answer.status >= 400)
    throw new Error(`${operation.name} without a fault returned ${JSON.stringify(answer)}.`)

  const series: Series[] = []
  for (const name of operation.participants) {
    if (participants !== undefined && !participants.includes(name)) continue
    const participant = stack.members.get(name)
    if (participant === undefined) throw new Error(`There is no process ${name}.`)
    for (const action of actions)
      for (const place of places) {
        stack.interruption.throwIfAborted()
        if ((place.kind === 'statement' ? participant.database : participant.bus) === undefined) continue
        const beganAt = performance.now()
        const found = await runSeries(operation, { participant, action, place, stride }, runCase)
        const perCase = Math.round((performance.now() - beganAt) / Math.max(1, found.tried))
        print(`${operation.name}: ${name}, ${found.fault}: ${found.fired} of ${found.tried} fired, ${perCase} ms each`)
        series.push(found)
      }
  }

  const all = series.flatMap(({ cases }) => cases)
  await Promise.all(all.map(({ outcome }) => outcome))
  const recovery = await waitForRecovery(stack.databases)
  const violations = await checkCases(all, undisturbed, stack.databases)
  const brokenInvariants = recovery.violations.map(({ invariant, row }) => `${operation.name}: ${invariant}: ${row}`)
  return {
    operation: operation.name,
    series: await Promise.all(
      series.map(async ({ cases, ...counts }) => {
        const outcomes = await Promise.all(cases.map(({ outcome }) => outcome))
        return {
          ...counts,
          violations: cases.filter((one) => violations.has(one)).length,
          worstMs: Math.max(0, ...outcomes.map(({ ms }) => ms)),
        }
      }),
    ),
    violations: [...[...violations.values()].flat(), ...brokenInvariants],
    recoveryMs: recovery.ms,
  }
}

/** Tries the points one after another until one is not reached. */
async function runSeries(
  operation: FaultOperation,
  { participant, action, place, stride }: SeriesOptions,
  runCase: RunCase,
): Promise<Series> {
  const cases: FaultCase[] = []
  let tried = 0
  for (let n = 1; n <= mostPoints; n += stride) {
    tried++
    const one = await runCase(operation, { participant, action, point: { ...place, n } })
    cases.push(one)
    if (operation.exclusive) await one.outcome
    if (one.unit === undefined) break
  }
  const fired = cases.filter(({ unit }) => unit !== undefined).length
  return { participant: participant.name, fault: `${action} ${place.place} ${place.kind}`, tried, fired, cases }
}

interface SeriesOptions extends Pick<Fault, 'participant' | 'action'> {
  readonly participant: Member
  readonly place: Pick<FaultPoint, 'kind' | 'place'>
  readonly stride: number
}

/** Compares each case with the undisturbed one: the answer, the answer of a repeat, and the stored state. */
async function checkCases(
  cases: readonly FaultCase[],
  undisturbed: FaultCase,
  databases: Databases,
): Promise<Map<FaultCase, string[]>> {
  const users = new Map<FaultCase, readonly string[]>()
  for (const one of [undisturbed, ...cases]) users.set(one, await findUsers(one))
  const read = (one: FaultCase) => readCase(one, users.get(one) ?? [], databases)
  const expected = await read(undisturbed)
  const violations = new Map<FaultCase, string[]>()
  const check = async (one: FaultCase) => {
    const seen = await read(one)
    const differences = (['answer', 'repeat', 'state'] as const)
      .filter((what) => seen[what] !== expected[what])
      .map((what) => `${describe(one)}: ${what}: ${seen[what]} instead of ${expected[what]}`)
    if (differences.length > 0) violations.set(one, differences)
  }
  const waiting = [...cases]
  const checkAll = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await check(one)
  }
  await Promise.all(Array.from({ length: readAtOnce }, checkAll))
  return violations
}

/** The prepared users, and those that the answer names. */
async function findUsers({ request, outcome }: FaultCase): Promise<readonly string[]> {
  const { answer } = await outcome
  const found = answer === undefined ? [] : await request.findUsers(answer)
  return [...new Set([...request.users, ...found])]
}

async function readCase({ tag, request, outcome }: FaultCase, users: readonly string[], databases: Databases) {
  const { answer } = await outcome
  const subject = { tag, users }
  const mask = request.mask ?? ((text) => text)
  const show = (shown: typeof answer) =>
    shown === undefined ? 'no definite answer' : mask(normalize(JSON.stringify(shown), subject))
  return {
    answer: show(answer),
    repeat: request.repeat && show(await repeatStored(request.repeat)),
    state: mask(await readState(databases, subject)),
  }
}

/** A response that was not stored is known again when the claim of the request ends. */
async function repeatStored(repeat: Attempt) {
  return (await repeat()) ?? (await repeatUntilDefinite(repeat, { withinMs: answerWithinMs }))
}

function describe({ operation, fault, unit }: FaultCase): string {
  if (fault === undefined) return `${operation} without a fault`
  const { participant, action, point } = fault
  const at = unit === undefined ? 'not reached' : unit.label.slice(0, 120)
  return `${operation}: ${action} ${participant.name} ${point.place} ${point.kind} ${point.n} (${at})`
}

/** How long a client may wait for a definite answer, in seconds. */
export const answerSeconds = answerWithinMs / 1_000
