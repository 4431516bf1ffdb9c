import type { BenchPart } from '../bench.ts'
import { reads } from './reads.ts'

/** The parts of the benchmark, in the order in which they run. */
export const benchParts: readonly BenchPart[] = [reads]
