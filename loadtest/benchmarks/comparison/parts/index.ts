import type { BenchPart } from '../bench.ts'
import { floor } from './floor.ts'
import { growth } from './growth.ts'
import { logins } from './logins.ts'
import { mix } from './mix.ts'
import { reads } from './reads.ts'
import { rejections } from './rejections.ts'
import { replicas } from './replicas.ts'
import { selfTime } from './self-time.ts'
import { startup } from './startup.ts'

/** The parts of the benchmark, in the order in which they run. */
export const benchParts: readonly BenchPart[] = [
  reads,
  floor,
  replicas,
  rejections,
  logins,
  mix,
  startup,
  growth,
  selfTime,
]
