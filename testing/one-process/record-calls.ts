import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { LocalServices } from '#bus'

const recorded = new Set<string>()

/**
 * Records the calls of a service to others of its process in `TEST_CALLS_FILE`, if `npm run test:one-process` sets it: test
 * file, caller, procedure and kind of outcome. A call in the background counts for the test file that runs at the time.
 */
export function recordCalls(localServices: LocalServices, caller: string): LocalServices {
  const { TEST_CALLS_FILE: file } = process.env
  if (file === undefined) return localServices
  return {
    ...localServices,
    find(service) {
      const serve = localServices.find(service)
      return (
        serve &&
        (async (procedure, input, call) => {
          const outcome = await serve(procedure, input, call)
          const line = `${expect.getState().testPath}\t${caller} ${service}.${procedure} ${outcome.kind}\n`
          if (!recorded.has(line)) appendFileSync(file, line)
          recorded.add(line)
          return outcome
        })
      )
    },
  }
}
