import type { Step } from '../../../deploy/local/progress.ts'
import type { GeneratorProcess } from './generator/start.ts'
import type { Arm, SliceLoad } from './measurement/arm.ts'
import type { ArmMeasurement } from './measurement/blocks.ts'
import type { Product, ProductOptions } from './product.ts'
import type { BenchReport } from './report/bench-report.ts'

/** How much a run measures. */
export interface BenchSize {
  readonly blocks: number
  readonly slice_seconds: number
  readonly warm_up_seconds: number
  readonly sites: number
  readonly users: number
}

/** What the parts of the benchmark share. */
export interface Bench {
  readonly step: Step
  readonly generator: GeneratorProcess
  /** Starts the product with one process of each other service. The caller stops it. */
  readonly startProduct: (name: string, options: Pick<ProductOptions, 'gateways'>) => Promise<Product>
  /** Measures arms in turns under this load, as a step. */
  readonly compare: (
    title: string,
    arms: readonly Arm[],
    load: Pick<SliceLoad, 'in_flight' | 'rate' | 'settle_ms'>,
  ) => Promise<readonly ArmMeasurement[]>
}

export interface BenchPart {
  readonly name: string
  readonly summary: string
  readonly run: (bench: Bench) => Promise<readonly BenchReport[]>
}
