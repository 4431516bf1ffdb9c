import type { Step } from '../../../deploy/local/progress.ts'
import type { Baselines } from './arms/baselines.ts'
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
  readonly size: BenchSize
  readonly step: Step
  readonly interruption: AbortSignal
  readonly generator: GeneratorProcess
  /** The product with one process of each service, started at the first call. */
  readonly product: () => Promise<Product>
  /** The parts of the comparison that use the product's servers, opened at the first call. */
  readonly baselines: () => Promise<Baselines>
  /** Starts another product, which the caller stops. */
  readonly startProduct: (
    name: string,
    options?: Partial<Pick<ProductOptions, 'gateways' | 'replicas' | 'environment' | 'users'>>,
  ) => Promise<Product>
  /** Measures arms in turns under this load, as a step. By default with as many blocks as the run has. */
  readonly compare: (
    title: string,
    arms: readonly Arm[],
    load: Pick<SliceLoad, 'in_flight' | 'rate' | 'settle_ms'>,
    blocks?: number,
  ) => Promise<readonly ArmMeasurement[]>
  /** A directory of this run for logs and other files. */
  readonly directory: string
}

export interface BenchPart {
  readonly name: string
  readonly summary: string
  readonly run: (bench: Bench) => Promise<readonly BenchReport[]>
}
