/** Joins a Japanese name, the family name first; undefined if one of the two names is missing. */
export function toFullName(family: string | undefined, given: string | undefined): string | undefined {
  return family === undefined || given === undefined ? undefined : `${family} ${given}`
}
