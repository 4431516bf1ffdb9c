import { execFile } from 'node:child_process'
import { access, constants, glob } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { describeRequirement, type ProgramName, type ProgramQuery, programList } from './program-list.ts'
import { SetupError } from './setup-error.ts'

export interface Program {
  readonly path: string
  readonly version: string
}

const found = new Map<ProgramName, readonly Program[]>()

/** Every suitable program of that name on this machine, newest first. */
export async function findPrograms(name: ProgramName): Promise<readonly Program[]> {
  const known = found.get(name)
  if (known !== undefined) return known
  const programs = await searchPrograms(programList[name], process.env)
  if (programs.length > 0) found.set(name, programs)
  return programs
}

/** The newest suitable program of that name. @throws SetupError if there is none */
export async function requireProgram(name: ProgramName): Promise<Program> {
  const [newest] = await findPrograms(name)
  if (newest !== undefined) return newest
  throw new SetupError(
    `${describeRequirement(name)} was not found on this machine. \`npm start\` installs it or prints the command.`,
  )
}

/** Searches PATH and the usual directories, reads the version of each file found, and returns the suitable ones, newest first. */
export async function searchPrograms(
  program: ProgramQuery,
  environment: NodeJS.ProcessEnv,
): Promise<readonly Program[]> {
  const named = program.variable === undefined ? undefined : environment[program.variable]
  const paths = named ? [named] : await executables(program, environment.PATH ?? '')
  const found = await Promise.all(paths.map((path) => readVersion(path, program)))
  return found
    .filter((candidate) => candidate !== undefined)
    .filter((candidate) => compareVersions(versionNumbers(candidate.version), program.atLeast) >= 0)
    .sort((a, b) => compareVersions(versionNumbers(b.version), versionNumbers(a.version)))
}

async function executables(program: ProgramQuery, pathVariable: string): Promise<string[]> {
  const folders = new Set(pathVariable.split(delimiter).filter((folder) => folder !== ''))
  for (const pattern of program.folders) for await (const folder of glob(pattern)) folders.add(folder)
  const paths = [...folders].flatMap((folder) => program.files.map((file) => join(folder, file)))
  const executable = await Promise.all(paths.map(isExecutable))
  return paths.filter((_, index) => executable[index])
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function readVersion(path: string, program: ProgramQuery): Promise<Program | undefined> {
  try {
    const { stdout, stderr } = await promisify(execFile)(path, [...(program.versionArguments ?? ['--version'])], {
      timeout: 10_000,
    })
    const version = (program.version.exec(stdout) ?? program.version.exec(stderr))?.[1]
    return version === undefined ? undefined : { path, version }
  } catch {
    return undefined // a stub, a broken installation, or a program for another platform
  }
}

export function versionNumbers(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10))
}

/** Negative, 0 or positive as `a` is older than, the same as, or newer than `b`, number by number. */
export function compareVersions(a: readonly number[], b: readonly number[]): number {
  const length = Math.max(a.length, b.length)
  const difference = Array.from({ length }, (_, index) => (a[index] ?? 0) - (b[index] ?? 0))
  return difference.find((value) => value !== 0) ?? 0
}
