import { open } from 'node:fs/promises'
import { stringify } from 'csv-stringify/sync'
import { markAsText } from '../../import-files/csv/spreadsheet-text.ts'
import type { Api } from '../api.ts'
import { CliError } from '../cli-error.ts'
import { getErrorCode } from '../error-code.ts'

const pageSize = 1_000

/**
 * A new CSV file of the rejected lines of imports: line, field, reason, and the file if there are several. It has a byte order mark,
 * without which spreadsheets garble names that are not ASCII.
 */
export interface RejectionReport extends AsyncDisposable {
  readonly path: string
  readonly write: (
    file: string,
    name: { readonly account: string; readonly site_id: string; readonly import_id: string },
    /** What the file left out, a sentence each. */
    omissions: readonly string[],
    api: Api,
  ) => Promise<void>
}

/** @throws CliError `usage` if the file exists or cannot be written */
export async function createReport(path: string, hasSeveralFiles: boolean): Promise<RejectionReport> {
  const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw new CliError('usage', `--report ${path} cannot be written (${getErrorCode(cause)}). Choose a new file.`, {
      cause,
    })
  })
  const writeRows = (rows: readonly (readonly (string | number)[])[], name: string) =>
    file.write(stringify(rows.map((row) => (hasSeveralFiles ? [...row, name] : row).map(toCell))))
  await file.write('\ufeff')
  await writeRows([['line', 'field', 'reason']], 'file')
  return {
    path,
    async write(fileName, name, omissions, api) {
      for (let afterLine = 0; ; ) {
        const page = await api.call('listImportRejections', { ...name, limit: pageSize, after_line: afterLine })
        const rows = page.rejections.flatMap(({ line, problems }) =>
          problems.map(({ field, message }) => [line, field, message]),
        )
        await writeRows(rows, fileName)
        const last = page.rejections.at(-1)
        if (!page.more || last === undefined) break
        afterLine = last.line
      }
      await writeRows(
        omissions.map((sentence) => ['', '', sentence]),
        fileName,
      )
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

/** A file that is imported chooses names of fields and of providers. */
function toCell(value: string | number): string {
  return markAsText(String(value), { numbersAsText: false })
}
