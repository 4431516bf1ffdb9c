import { defineConfig } from 'vitest/config'
import { failureReporter } from './testing/failure-reporter.ts'

export default defineConfig({
  test: {
    include: ['{libs,services,deploy,testing,docs,loadtest}/**/*.test.ts'],
    globalSetup: ['testing/global-setup.ts'],
    reporters: ['default', failureReporter],
    setupFiles: process.env.HOSTILE_MACHINE_SEED === undefined ? [] : ['testing/hostile-machine/patient-limits.ts'],
    pool: 'forks',
    // Node loads TypeScript itself; Vite's module runner would transform each file once more.
    experimental: { viteModuleRunner: false },
    // On two cores the whole takes less time with four than with six.
    maxWorkers: 4,
    // A worker loads the modules once, and its files share a running stack.
    isolate: false,
    // Prints what the services logged only for tests that fail.
    silent: 'passed-only',
    // They end what hangs, also on a slow machine, so tests have no limits of their own.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A poll ends with its event. Without it, its message appears before the time of the test is over.
    expect: { poll: { timeout: 150_000 } },
  },
})
