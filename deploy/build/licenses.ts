import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string().optional() })
type Manifest = z.output<typeof Manifest>

/** A package of which the image contains a part. */
export interface BundledPackage extends Manifest {
  /** The text of its license files; empty if it has none. */
  readonly text: string
}

/** Finds the packages that the modules belong to. */
export function findPackages(modules: Iterable<string>): BundledPackage[] {
  const directories = new Set(
    [...modules].flatMap((path) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  )
  return sortPackages([...directories].map(readPackage))
}

/** In alphabetical order, each version once. */
export function sortPackages(packages: readonly BundledPackage[]): BundledPackage[] {
  const byName = new Map(packages.map((found) => [`${found.name}@${found.version}`, found]))
  return [...byName.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found)
}

const noText = 'The package contains no license text.'

/** An entry of the list that Vite writes (`build.license`). */
const ListedPackage = Manifest.omit({ license: true }).extend({
  identifier: z.string().optional(),
  text: z.string().default(noText),
})

/** Reads the packages in pages that Vite has built. */
export function readPackages(list: string): BundledPackage[] {
  const packages = z.array(ListedPackage).parse(JSON.parse(readFileSync(list, 'utf8')))
  return packages.map(({ identifier, ...found }) => ({ ...found, license: identifier }))
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
  return /^#+ *licen[cs]e\s+([^#]+)/im.exec(text)?.[1]?.trim() ?? noText
}

const separator = '-'.repeat(80)

/** Formats the notice that licenses require of copies. */
export function formatLicenses(packages: readonly BundledPackage[]): string {
  const notices = packages.map(({ name, version, license = 'see below', text }) =>
    [separator, `${name} ${version}`, `License: ${license}`, '', text, ''].join('\n'),
  )
  return `The programs and pages in this directory, and the Node.js that runs them, contain the following packages.\n\n${notices.join('\n')}`
}

/** Reads the packages of a notice, each as `<name> <version>`. */
export function parseLicenses(notice: string): string[] {
  // Texts of licenses contain such separators as well.
  const headings = notice.matchAll(new RegExp(`^${separator}\n(.+)\nLicense: `, 'gm'))
  return [...headings].map(([, heading = '']) => heading)
}
