import type { AdminReason } from '#admin-api'
import type { ImportFileError } from '../../../import-files/record.ts'

/** The reason of an error of a file. Others are those of loading the reader, such as after a new version was deployed. */
export function toFileProblem(error: unknown): AdminReason {
  const isOfFile = error instanceof Error && error.name === 'ImportFileError'
  // Its class comes with the reader.
  return isOfFile
    ? (error as ImportFileError).reason
    : { name: 'not_as_expected', parameters: { problem: String(error) } }
}
