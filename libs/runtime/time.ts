/** `YYYY-MM-DDTHH:MM:SSZ` (specification, Shared conventions); fractions of a second are dropped. */
export function toTimestamp(time: Date | number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}

/** As `toTimestamp`, null for null. */
export function toTimestampOrNull(time: Date | null): string | null {
  return time === null ? null : toTimestamp(time)
}
