import { readFileSync } from 'node:fs'
import type { CommandDescription } from './describe-commands.ts'

/** Reads every command from `commands.json`; a test checks that the file matches the contract. */
export function readCommands(): readonly CommandDescription[] {
  return JSON.parse(readFileSync(new URL('commands.json', import.meta.url), 'utf8'))
}

/** Reads the version of the package. */
export function readPackageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  return String(version)
}
