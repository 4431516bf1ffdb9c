import { expect, test } from 'vitest'
import { type CallFrame, computeSelfTime } from './self-time.ts'

const frames = [
  ['(idle)', ''],
  ['(garbage collector)', ''],
  ['parse', 'node_modules/@scope/name/dist/index.js'],
  ['find', 'services/identity/store/users.ts'],
  ['start', 'services/identity/main.ts'],
  ['write', 'node:internal/streams/writable'],
  ['writev', ''],
  ['(program)', ''],
] as const

const findSource = ({ url }: CallFrame) => url

/** `writev` is called by `write`. */
const children = new Map([[5, [6]]])

const profile = {
  nodes: frames.map(([functionName, url], id) => ({
    id,
    callFrame: { functionName, url, lineNumber: 0, columnNumber: 0 },
    children: children.get(id) ?? [],
  })),
  startTime: 1_000,
  samples: [0, 1, 2, 3, 4, 5, 6, 7, 3],
  timeDeltas: [10, 10, 10, 10, 10, 10, 10, 10, 1_000],
}

test('self time is that of packages, directories, Node.js and the collector; native code belongs to its caller, and idle time to none', () => {
  expect(computeSelfTime(profile, { from: 0, to: 1_500, findSource })).toEqual(
    new Map([
      ['garbage collector', 10],
      ['@scope/name', 10],
      ['services/identity/store', 10],
      ['services/identity', 10],
      ['Node.js: streams', 20],
      ['native code', 10],
    ]),
  )
})

test('samples before and after the load do not count', () => {
  expect(computeSelfTime(profile, { from: 1_035, to: 1_045, findSource })).toEqual(
    new Map([['services/identity/store', 10]]),
  )
})
