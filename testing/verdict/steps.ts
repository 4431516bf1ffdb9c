/** A command of `npm run`, with its arguments. */
export type NpmCommand = readonly [script: string, ...arguments_: string[]]

export interface VerdictStep {
  readonly title: string
  /** What decides about a submission; absent: nothing, unless files changed. */
  readonly command?: NpmCommand
  /** What a change of one of these files requires instead: globs from the root of the repository. */
  readonly ifChanged?: { readonly files: readonly string[]; readonly command: NpmCommand }
  /** What a release requires instead. */
  readonly release?: NpmCommand
  /** Programs of which one must be installed; without them the step is skipped. */
  readonly requiresOneOf?: readonly string[]
}

/**
 * What decides whether a submission or a release is correct. Steps of one group run at the same time: those that wait for the
 * network, for disks or for single-threaded programs. Tests and load scenarios have the machine for themselves.
 */
export const verdict: readonly (readonly VerdictStep[])[] = [
  [{ title: 'Types, style and prose', command: ['check'] }],
  [{ title: 'Tests', command: ['test'] }],
  [
    {
      title: 'Tests in one process',
      command: ['test:one-process'],
      release: ['test:one-process', '--', '--all'],
    },
  ],
  [
    // Ends processes and cuts connections at some statements and messages.
    { title: 'Faults', command: ['test:faults', '--', '--core'], release: ['test:faults'] },
  ],
  [
    // Fails on a link without a page and on a page without navigation.
    { title: 'Documentation site', command: ['build:docs'] },
    // What it lacks on this machine, and cannot build without Go, it skips and says so.
    {
      title: 'Helm charts',
      command: ['check:chart', '--', '--core'],
      ifChanged: {
        files: ['charts/**', 'deploy/chart/**', 'deploy/local/programs/**', 'deploy/tools/**'],
        command: ['check:chart'],
      },
      release: ['check:chart'],
    },
    {
      title: 'Quick starts',
      command: ['check:quick-starts', '--', 'express'],
      ifChanged: {
        files: [
          'docs/examples/**',
          'docs/use/quick-starts/**',
          'services/provider-auth/openid/discovery/**',
          'services/provider-auth/openid/logout/**',
          'services/provider-auth/openid/token/**',
          'services/provider-auth/openid/userinfo/**',
          'loadtest/quick-starts/**',
        ],
        command: ['check:quick-starts'],
      },
      release: ['check:quick-starts'],
    },
    {
      // Keycloak alone is a download of 176 MB.
      title: 'Login providers of others',
      release: ['check:foreign-providers'],
      requiresOneOf: ['mvn', 'go', 'dex'],
    },
  ],
  [
    {
      title: 'Load',
      command: ['load', '--', 'smoke', '--minutes', '0.25'],
      ifChanged: {
        // The path of a request, and what sends it. Faults and benchmarks of the laboratory send no load of these scenarios.
        files: [
          'libs/bus/**',
          'libs/http/**',
          'loadtest/{load.ts,load/**,scripts/**,seed.ts,seed/**}',
          'services/api-gateway/{*.ts,http/**,objects/**,operations/**,parameters/**,rate-limit/**,usage/**}',
        ],
        command: ['load', '--', 'ci'],
      },
      release: ['load', '--', 'ci'],
      requiresOneOf: ['k6', 'go'],
    },
  ],
]
