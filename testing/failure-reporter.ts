import { inspect, stripVTControlCharacters } from 'node:util'
import type { Reporter, TestModule } from 'vitest/node'

/** Prints why a test failed as soon as it has: vitest does so after all files, and an interrupted run never. */
export const failureReporter: Reporter = {
  onTestCaseResult(test) {
    const { errors = [] } = test.result()
    print(test.module, test.fullName, errors)
  },

  onTestSuiteResult(suite) {
    print(suite.module, suite.fullName, suite.errors())
  },

  onTestModuleEnd(module) {
    print(module, 'the file', module.errors())
  },
}

function print(
  { moduleId }: TestModule,
  name: string,
  errors: readonly {
    readonly message: string
    readonly diff?: string
    readonly stack?: string
    readonly cause?: unknown
  }[],
): void {
  for (const { message, diff, stack = '', cause } of errors) {
    const places = stack.split('\n').filter((line) => /at .*file:/.test(line) && !line.includes('node_modules'))
    const lines = [
      `Failed: ${moduleId} > ${name}`,
      message,
      ...(diff ? [diff] : []),
      ...(cause ? [`Caused by ${inspect(cause)}`] : []),
      ...places.slice(0, 5),
    ]
    console.log(stripVTControlCharacters(lines.join('\n')))
  }
}
