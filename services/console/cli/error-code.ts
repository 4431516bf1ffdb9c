/** Returns the error code of the operating system, for example `ENOENT`. */
export function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
