export const daySeconds = 86_400

/** Returns the time `seconds` after a time; negative: before. */
export function addSeconds(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1_000)
}
