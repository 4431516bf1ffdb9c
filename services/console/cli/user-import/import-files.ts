import { type Api, createApi } from '../api.ts'
import { CliError, CliExit } from '../cli-error.ts'
import { confirmInTerminal } from '../confirm.ts'
import { resolveConnection } from '../connection.ts'
import type { Io } from '../io.ts'
import { type ImportOptions, importFile } from './import-file.ts'
import { createReport } from './report.ts'

export type { ImportOptions } from './import-file.ts'

/** Imports files one after another, or checks them: each is an import of its own. Ends with the first that fails. */
export async function importFiles(paths: readonly string[], options: ImportOptions, io: Io): Promise<void> {
  const { account, siteId, resume, report: reportPath } = options
  if (resume !== undefined && paths.length > 1)
    throw new CliError('usage', '--resume continues the import of one file. Name that file only.')
  const api: Api = createApi(await resolveConnection(options, io))
  await using report = reportPath === undefined ? undefined : await createReport(reportPath, paths.length > 1)
  if (!options.dryRun && io.interactive && !options.yes && resume === undefined)
    await confirmInTerminal(`Import the users of ${paths.join(', ')} into ${account}/${siteId}. Continue?`, io)
  let hasRejections = false
  for (const path of paths) {
    if (paths.length > 1) io.printError(`${path}:\n`)
    hasRejections = (await importFile(path, options, { api, io, report })) > 0 || hasRejections
  }
  if (hasRejections) throw new CliExit('differs')
}
