import { useEffect, useState } from 'react'
import type { AdminReason } from '#admin-api'
import type { FileOptions } from './file-options.ts'
import { toFileProblem } from './file-problem.ts'
import { type Preview, readPreview } from './read-preview.ts'

export type PreviewState = { readonly preview: Preview } | { readonly problem: AdminReason } | undefined

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
        (error: unknown) => show({ problem: toFileProblem(error) }),
      )
    return () => {
      isCurrent = false
    }
  }, [file, key])
  return state
}
