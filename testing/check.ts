import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** `npm run check`: types, style, prose and messages of commits, side by side; each prints when it has ended. */
const checks = [
  ['tsc', '--noEmit', '-p', '.'],
  ['tsc', '--noEmit', '-p', 'services/console/web'],
  ['biome', 'check', '--colors=off', '.'],
  ['node', 'testing/check-language.ts'],
  ['node', 'testing/check-commits.ts'],
] as const

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
