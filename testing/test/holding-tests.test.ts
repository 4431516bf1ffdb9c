import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What makes a test depend on how fast the machine is (docs/build/write-a-test-that-holds.md), with the tests that still have it. */
const kinds: readonly {
  readonly kind: string
  readonly pattern: RegExp
  readonly known: Readonly<Record<string, number>>
}[] = [
  {
    kind: 'an assertion on a duration',
    pattern: /expect\(.*(performance\.now\(\)|Date\.now\(\)).*\.toBeLess/g,
    known: {
      'libs/bus/test/bus.test.ts': 1,
      'services/api-gateway/test/rate-limit.test.ts': 1,
    },
  },
  {
    kind: 'a wait for a fixed time',
    pattern: /await (delay|setTimeout|sleep)\(\d|=> setTimeout\(resolve|waitForTimeout/g,
    known: {
      'services/api-gateway/test/requests.test.ts': 1,
      'services/api-gateway/test/slow-redis.test.ts': 7,
      'services/provider-auth/test/conformance/second-logins.test.ts': 1,
    },
  },
  {
    kind: 'a wait that gives up on a slow machine',
    pattern: /vi\.wait(For|Until)\(|\{ timeout: \d/g,
    // It presses for as long as its limit says.
    known: { 'services/api-gateway/test/slow-redis.test.ts': 1 },
  },
  {
    kind: 'a time limit of its own',
    // After the function of a test or hook, on its last line or on a line of its own.
    pattern: /^( *\}, \d+_000\)| +\d+_000,\n *\))$/gm,
    // They start programs of others, or crash a site move at each step.
    known: {
      'services/console/test/foreign-provider-page.test.ts': 1,
      'services/console/test/site-move-crashes.test.ts': 1,
      'services/provider-auth/test/foreign-products/conformance-plans.test.ts': 1,
      'services/provider-auth/test/foreign-products/products.test.ts': 1,
    },
  },
  { kind: 'a port in a literal', pattern: /\.listen\([1-9]/g, known: {} },
  {
    kind: 'a clock or timers of its own',
    pattern: /vi\.(useFakeTimers|setSystemTime)\(/g,
    // They set the clock, and no timers, for one request.
    known: {
      'services/console/test/logins.test.ts': 1,
      'services/provider-auth/test/callback.test.ts': 2,
      'services/provider-auth/test/logout.test.ts': 1,
    },
  },
]

test.each(kinds)('no further test has $kind', ({ pattern, known }) => {
  const files = globSync('{libs,services,deploy,testing,docs,loadtest}/**/*.test.ts', {
    exclude: (path) => path.includes('node_modules'),
  })
  const found = files.flatMap((file): [string, number][] => {
    const count = readFileSync(file, 'utf8').match(pattern)?.length ?? 0
    return count > 0 && !file.endsWith('holding-tests.test.ts') ? [[file, count]] : []
  })
  expect(Object.fromEntries(found.sort())).toEqual(known)
})
