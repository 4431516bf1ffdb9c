/** Names that every service defines for itself, with the same meaning. */
const ofEachService = new Set([
  'Config',
  'readConfig',
  'Deps',
  'ServiceClients',
  'busInterface',
  'handlers',
  'migrations',
  'initial',
  'pendingEvents',
  'siteDeletions',
  'siteFreezes',
  'service',
  'MessageParameters',
])

/** Directories in which a name means the procedure, type or language that other directories name as well. */
const ofTheContract =
  /^(libs\/contracts|services\/[\w-]+\/(handlers|operations)|services\/console\/web\/(admin\/types|texts\/(en|ja)))/
/** An example application and programs of k6, which share no code with the product. */
const ofOtherPrograms = /^docs\/examples\/|^loadtest\/scripts\//
/** Test helpers, one file for each simulated provider, with the same steps. */
const ofEachProvider = /^services\/provider-simulator\/test\/(\w+)\/(\1|logins)\.ts$/
/** Test helpers, which only tests of their module import, and the directories of tests. */
const ofOneModule = /^((?:libs|services|deploy)\/[\w-]+)\/(?:.*\/)?test\/|^(testing|loadtest)\//

const exportPattern =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm

/**
 * Finds names that two files export for different things.
 *
 * @param texts of files, by path
 * @returns one sentence for each name
 */
export function findAmbiguousNames(texts: ReadonlyMap<string, string>): string[] {
  const exporters = new Map<string, Set<string>>()
  for (const [file, text] of texts)
    if (/\.tsx?$/.test(file) && !/\.test\.ts$/.test(file) && !ofOtherPrograms.test(file))
      for (const [, name = ''] of text.matchAll(exportPattern))
        exporters.set(name, (exporters.get(name) ?? new Set()).add(file))
  return [...exporters].flatMap(([name, files]) =>
    findConflicts(name, [...files]).map(
      (conflict) => `${name} is exported by ${conflict.join(' and ')}: use different names.`,
    ),
  )
}

function findConflicts(name: string, files: readonly string[]): (readonly string[])[] {
  if (ofEachService.has(name)) return []
  const helpers = files.filter((file) => ofOneModule.test(file))
  const product = files.filter((file) => !ofOneModule.test(file))
  const modules = [...new Set(helpers.map((file) => ofOneModule.exec(file)?.slice(1).join('') ?? ''))]
  const groups = [product, ...modules.map((module) => files.filter((file) => file.startsWith(`${module}/`)))]
  return groups.filter(
    (group) =>
      group.length > 1 && ![ofTheContract, ofEachProvider].some((same) => group.every((file) => same.test(file))),
  )
}
