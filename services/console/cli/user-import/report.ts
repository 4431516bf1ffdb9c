import { open } from 'node:fs/promises'
import { stringify } from 'csv-stringify/sync'
import type { Api } from '../api.ts'
import { CliError } from '../cli-error.ts'
import { getErrorCode } from '../error-code.ts'

const pageSize = 1_000

/** Writes the rejected lines of an import to a new CSV file: line, field, reason. */
export async function writeReport(
  path: string,
  name: { readonly account: string; readonly site_id: string; readonly import_id: string },
  api: Api,
): Promise<void> {
  await using file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw new CliError('usage', `--report ${path} cannot be written (${getErrorCode(cause)}). Choose a new file.`, {
      cause,
    })
  })
  await file.write(stringify([['line', 'field', 'reason']]))
  for (let afterLine = 0; ; ) {
    const page = await api.call('listImportRejections', { ...name, limit: pageSize, after_line: afterLine })
    await file.write(
      stringify(
        page.rejections.flatMap(({ line, problems }) => problems.map(({ field, message }) => [line, field, message])),
      ),
    )
    const last = page.rejections.at(-1)
    if (!page.more || last === undefined) return
    afterLine = last.line
  }
}
