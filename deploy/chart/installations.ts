import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../local/settings.ts'
import { outputOf, runCheck, runProgram } from './run-program.ts'

export const chart = 'charts/social-login'

/** A way to install: the name of its file of values in `ci/`. */
export const exampleInstallations: readonly string[] = globSync(join(root, chart, 'ci/*.yaml'))
  .map((path) => basename(path, '.yaml'))
  .sort()

interface RenderOptions {
  readonly release?: string
  readonly namespace?: string
  /** The chart's folder, or its package. */
  readonly from?: string
  /** A value that differs, as Helm's `--set`. */
  readonly set?: string
}

const renderArguments = (
  installation: string,
  { release = 'login', namespace = 'social-login', from = chart, set }: RenderOptions = {},
) => [
  'template',
  release,
  from,
  '--namespace',
  namespace,
  '--kube-version',
  '1.30.0',
  '--values',
  `${chart}/ci/${installation}.yaml`,
  ...(set === undefined ? [] : ['--set', set]),
]

/** The objects of an installation, as YAML. @throws SetupError with the sentences that say why there are none */
export function render(helm: string, installation: string, where?: RenderOptions): Promise<string> {
  return runCheck(helm, renderArguments(installation, where))
}

/** The objects of an installation with one more file of values; Helm's error message if rendering fails. */
export async function renderWithValues(helm: string, installation: string, values: string): Promise<string> {
  try {
    return await runProgram(
      helm,
      [...renderArguments(installation), '--skip-schema-validation', '--values', '-'],
      values,
    )
  } catch (error) {
    return outputOf(error)
  }
}
