import type { ClaimPointer } from '#contracts'

/** Returns the claims at a JSON Pointer (RFC 6901): none, one, or those of every element of a list at `*`. */
export function findClaims(claims: unknown, pointer: ClaimPointer): readonly unknown[] {
  const steps = pointer.split('/').slice(1).map(decodeStep)
  return steps.reduce<readonly unknown[]>((found, step) => found.flatMap((value) => takeStep(value, step)), [claims])
}

/** Returns the first claim at a JSON Pointer; undefined if there is none. */
export function findClaim(claims: unknown, pointer: ClaimPointer): unknown {
  return findClaims(claims, pointer)[0]
}

function takeStep(value: unknown, step: string): readonly unknown[] {
  if (step === '*' && Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return []
  return [Reflect.get(value, step)]
}

function decodeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}
