import { matchesGlob } from 'node:path'
import type { NpmCommand, VerdictStep } from './steps.ts'

export interface Occasion {
  readonly isRelease: boolean
  /** Undefined if there is nothing to compare with. */
  readonly changedFiles: readonly string[] | undefined
}

/**
 * Selects the command of a step: all of it for a release or if its files changed, otherwise what decides about any submission;
 * undefined if that is nothing.
 */
export function selectCommand(
  { command, ifChanged, release }: VerdictStep,
  { isRelease, changedFiles = [] }: Occasion,
): NpmCommand | undefined {
  if (isRelease && release !== undefined) return release
  const isConcerned = changedFiles.some((file) => ifChanged?.files.some((glob) => matchesGlob(file, glob)))
  return isConcerned && ifChanged !== undefined ? ifChanged.command : command
}
