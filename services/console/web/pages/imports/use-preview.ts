import { useEffect, useState } from 'react'
import type { AdminReason } from '#admin-api'
import type { ImportFileError } from '../../../import-files/record.ts'
import type { FileOptions } from './file-options.ts'
import { type Preview, readPreview } from './read-preview.ts'

export type PreviewState = { readonly preview: Preview } | { readonly problem: AdminReason } | undefined

/** The reason of an error of the file. Others are those of loading the reader, such as after a new version was deployed. */
function toProblem(error: unknown): AdminReason {
  const isOfFile = error instanceof Error && error.name === 'ImportFileError'
  // Its class comes with the reader.
  return isOfFile
    ? (error as ImportFileError).reason
    : { name: 'not_as_expected', parameters: { problem: String(error) } }
}

/** Reads the beginning of a file again when an option changes; undefined while it is read, and without a file. */
export function usePreview(file: File | null, options: FileOptions): PreviewState {
  const [state, setState] = useState<PreviewState>()
  const key = JSON.stringify(options)
  useEffect(() => {
    let isCurrent = true
    const show = (next: PreviewState) => {
      if (isCurrent) setState(next)
    }
    if (file === null) show(undefined)
    else
      readPreview(file, JSON.parse(key)).then(
        (preview) => show({ preview }),
        (error: unknown) => show({ problem: toProblem(error) }),
      )
    return () => {
      isCurrent = false
    }
  }, [file, key])
  return state
}
