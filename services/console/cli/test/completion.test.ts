import { spawnSync } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { shells } from '../completion.ts'
import { socialLogin } from './harness.ts'

const launcher = fileURLToPath(new URL('../social-login.js', import.meta.url))
const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0

/** Lists the completions of each shell, with the printed script and the launcher. */
const tab: Record<(typeof shells)[number], (script: string, line: string) => readonly string[]> = {
  bash: (script, line) => [
    '-c',
    `social-login() { ${launcher} "$@"; }
    ${script}
    COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _social_login; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (script, line) => [
    '-f',
    '-c',
    `social-login() { ${launcher} "$@" }
    compadd() { print -l -- "\${(@P)2}" }
    _files() { print -l -- *(N) }
    ${script}
    words=(${line}); CURRENT=$#words; _social_login`,
  ],
  fish: (script, line) => [
    '--no-config',
    '-c',
    `function social-login; ${launcher} $argv; end
    ${script}
    complete -C '${line}'`,
  ],
}

describe.each(shells)('%s completes with the printed script', (shell) => {
  test.skipIf(!has(shell)).each([
    ['a command', 'social-login sites sh', ['show']],
    ['an option', 'social-login clients create --ki', ['--kind']],
    ['a choice', 'social-login clients create --kind pu', ['public']],
    ['a file', 'social-login plan -f si', ['site.yaml']],
  ])('%s', async (_what, line, offered) => {
    const directory = await mkdtemp(join(tmpdir(), 'social-login-'))
    await writeFile(join(directory, 'site.yaml'), '')
    const { out: script } = await socialLogin(['completion', shell])
    const { stdout, stderr } = spawnSync(shell, tab[shell](script, line), { encoding: 'utf8', cwd: directory })
    expect(stderr).toBe('')
    const candidates = stdout.split('\n').filter((word) => word !== '')
    // Bash completes file names if there are no candidates.
    expect(candidates).toEqual(shell === 'bash' && offered[0] === 'site.yaml' ? [] : offered)
  })
})
