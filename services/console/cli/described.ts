import { readFileSync } from 'node:fs'
import type { CommandDescription } from './describe.ts'

/** Every command, from `commands.json`; a test keeps the file equal to the contract. */
export function describedCommands(): readonly CommandDescription[] {
  return JSON.parse(readFileSync(new URL('commands.json', import.meta.url), 'utf8'))
}

/** The version of the package that contains the command line. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return String(version)
}
