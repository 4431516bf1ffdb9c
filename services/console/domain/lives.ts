export const daySeconds = 86_400

/** The moment so many seconds after another one. */
export function secondsAfter(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1_000)
}
