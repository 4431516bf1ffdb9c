import type { BenchPart } from '../bench.ts'
import { logins } from './logins.ts'
import { mix } from './mix.ts'

/** The parts of the benchmark, in the order in which they run. */
export const benchParts: readonly BenchPart[] = [logins, mix]
