import { type Call, newCall } from '#bus'

/** Creates a call for one of many at the same time, which wait for each other: with the deadline of production, it could pass on a slow machine. */
export function patientCall(): Call {
  return newCall({ withinMs: 60_000 })
}
