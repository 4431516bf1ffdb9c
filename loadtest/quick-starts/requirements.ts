import { type ProgramQuery, SetupError, searchPrograms, versionNumbers } from '#local'
import { readerEnvironment } from './shell.ts'

/** How to find the programs that the pages name under Prerequisites. */
const programs: Readonly<Record<string, Omit<ProgramQuery, 'atLeast' | 'folders'>>> = {
  'Node.js': { files: ['node'], version: /^v(\S+)/ },
  Go: { files: ['go'], versionArguments: ['version'], version: /go(\d+\.\d+(?:\.\d+)?)/ },
  Java: { files: ['java'], versionArguments: ['-version'], version: /version "(\d+(?:\.\d+)*)/ },
  Maven: { files: ['mvn'], version: /Maven (\d+(?:\.\d+)*)/ },
  Python: { files: ['python3'], version: /Python (\d+(?:\.\d+)*)/ },
  Ruby: { files: ['ruby'], version: /^ruby (\d+(?:\.\d+)*)/ },
  Bundler: { files: ['bundle'], version: /(\d+(?:\.\d+)*)/ },
}

/** Returns the requirements that this machine does not meet, such as "Go 1.26 or later". */
export async function findMissing(requirements: ReadonlyMap<string, string>): Promise<string[]> {
  const missing = await Promise.all(
    [...requirements].map(async ([name, oldest]) => {
      const program = programs[name]
      if (program === undefined) throw new SetupError(`requirements.ts does not describe how to find ${name}.`)
      const query = { ...program, folders: [], atLeast: versionNumbers(oldest) }
      const found = await searchPrograms(query, readerEnvironment())
      return found.length === 0 ? [`${name} ${oldest} or later`] : []
    }),
  )
  return missing.flat()
}
