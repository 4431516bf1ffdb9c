import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string().optional() })
type Manifest = z.output<typeof Manifest>

/** A package that is part of a bundle. */
export interface BundledPackage extends Manifest {
  /** The text of its license files; empty if it has none. */
  readonly text: string
}

/** Finds the packages that the modules belong to, in alphabetical order, each version once. */
export function findPackages(modules: Iterable<string>): BundledPackage[] {
  const directories = new Set(
    [...modules].flatMap((path) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  )
  const byName = new Map([...directories].map(readPackage).map((found) => [`${found.name}@${found.version}`, found]))
  return [...byName.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found)
}

function readPackage(directory: string): BundledPackage {
  const files = readdirSync(directory)
    .filter((file) => /^(licen[cs]e|notice|copying)\b/i.test(file))
    .sort()
  const texts = files.map((file) => readFileSync(join(directory, file), 'utf8').trim())
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')))
  const text = texts.join('\n\n') || findLicenseSection(directory)
  // Old packages name it only in its text.
  return { ...manifest, license: manifest.license ?? /^The (MIT) License\b/.exec(text)?.[1], text }
}

/** Old packages have their license only at the end of their description. */
function findLicenseSection(directory: string): string {
  const [file] = readdirSync(directory).filter((name) => /^readme/i.test(name))
  const text = file === undefined ? '' : readFileSync(join(directory, file), 'utf8')
  return /^#+ *licen[cs]e\s+([^#]+)/im.exec(text)?.[1]?.trim() ?? 'The package contains no license text.'
}

const separator = '-'.repeat(80)

/** Formats the notice that licenses require of copies. */
export function formatLicenses(packages: readonly BundledPackage[]): string {
  const notices = packages.map(({ name, version, license = 'see below', text }) =>
    [separator, `${name} ${version}`, `License: ${license}`, '', text, ''].join('\n'),
  )
  return `The programs in this directory contain the following packages.\n\n${notices.join('\n')}`
}

/** Reads the packages of a notice, each as `<name> <version>`. */
export function parseLicenses(notice: string): string[] {
  return notice
    .split(`${separator}\n`)
    .slice(1)
    .flatMap((text) => text.split('\n', 1))
}
