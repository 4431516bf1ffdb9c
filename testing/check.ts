import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Where the compiler stores what it checked, so that the next check reads only what changed. */
const typesCache = 'node_modules/.cache/types'

/** `npm run check`: types, style, prose and messages of commits, side by side; each prints when it has ended. */
const checks = [
  checkTypes('.', 'root'),
  checkTypes('services/console/web', 'console-web'),
  ['biome', 'check', '--colors=off', '.'],
  ['node', 'testing/check-language.ts'],
  ['node', 'testing/check-commits.ts'],
] as const

/** With one checker per project: each further one computes the types of libraries and contracts again. */
function checkTypes(project: string, name: string): readonly [program: string, ...arguments_: string[]] {
  const cache = ['--incremental', '--tsBuildInfoFile', `${typesCache}/${name}.tsbuildinfo`]
  return ['tsc', '--noEmit', '-p', project, '--checkers', '1', ...cache]
}

const passed = await Promise.all(
  checks.map(async ([program, ...rest]) => {
    const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    const [code] = await once(child, 'close')
    process.stderr.write(output)
    return code === 0
  }),
)
process.exitCode = passed.every(Boolean) ? 0 : 1
