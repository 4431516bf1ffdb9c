/** Converts a local time, such as 2030-01-31T10:00 of an input field, or a Unix time to UTC as the Admin API expects it. */
export function toUtc(localTime: string | number): string {
  return new Date(localTime).toISOString().replace(/\.\d+Z$/, 'Z')
}
