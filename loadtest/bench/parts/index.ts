import type { BenchPart } from '../bench.ts'
import { floor } from './floor.ts'
import { reads } from './reads.ts'
import { rejections } from './rejections.ts'
import { replicas } from './replicas.ts'

/** The parts of the benchmark, in the order in which they run. */
export const benchParts: readonly BenchPart[] = [reads, floor, replicas, rejections]
