import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type ProgramName, programList } from './program-list.ts'

export interface Installer {
  readonly command: readonly string[]
  readonly environment: NodeJS.ProcessEnv
}

const installScript = ['/bin/sh', join(import.meta.dirname, 'install-debian.sh')]

/** Finds a package manager that installs programs without prompts (except sudo's on a terminal). */
export function findInstaller(names: readonly ProgramName[]): Installer | undefined {
  const apt = [...installScript, ...names.flatMap((name) => programList[name].apt.split(' '))]
  if (has('apt-get')) {
    if (process.getuid?.() === 0) return { command: apt, environment: process.env }
    if (canUseSudo()) return { command: ['sudo', '-n', ...apt], environment: process.env }
  }
  if (has('brew') && process.getuid?.() !== 0) {
    const environment = { ...process.env, NONINTERACTIVE: '1', HOMEBREW_NO_ENV_HINTS: '1' }
    return { command: ['brew', 'install', ...names.map((name) => programList[name].brew)], environment }
  }
  return undefined
}

/** The command that installs these programs. */
export function formatInstallCommand(names: readonly ProgramName[]): string {
  const brew = `brew install ${names.map((name) => programList[name].brew).join(' ')}`
  const apt = `apt-get install ${names.map((name) => programList[name].apt).join(' ')}`
  if (process.platform === 'darwin') return has('brew') ? brew : `${brew} (brew is at https://brew.sh)`
  if (has('apt-get')) return process.getuid?.() === 0 ? apt : `sudo ${apt}`
  return `${brew} (brew is at https://brew.sh, or use this system's own package manager)`
}

function canUseSudo(): boolean {
  if (!has('sudo')) return false
  if (succeeds('sudo', ['-n', 'true'])) return true
  return process.stdin.isTTY && spawnSync('sudo', ['-v'], { stdio: 'inherit' }).status === 0
}

function has(command: string): boolean {
  return succeeds('/bin/sh', ['-c', 'command -v "$1"', 'sh', command])
}

function succeeds(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}
