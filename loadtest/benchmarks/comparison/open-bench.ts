import { join } from 'node:path'
import type { Step } from '../../../deploy/local/progress.ts'
import { openBaselines } from './arms/baselines.ts'
import type { Bench, BenchSize } from './bench.ts'
import { startGenerator } from './generator/start.ts'
import { measureBlocks } from './measurement/blocks.ts'
import { startProduct } from './product.ts'

/** Not counted at the begin of each slice: connections open, and caches fill again. */
const leadMs = 400

/** Opens what the parts share; the stack disposes it. */
export async function openBench(
  size: BenchSize,
  {
    directory,
    stack,
    step,
    interruption,
  }: { directory: string; stack: AsyncDisposableStack; step: Step; interruption: AbortSignal },
): Promise<Bench> {
  const generator = stack.use(await startGenerator(join(directory, 'generator.log')))
  const start: Bench['startProduct'] = (name, options = {}) =>
    startProduct({ directory: join(directory, name), ...size, ...options, step, interruption })
  const product = remember(async () => stack.use(await start('product')))
  const baselines = remember(async () => stack.use(await openBaselines(await product())))
  return {
    size,
    step,
    interruption,
    generator,
    directory,
    product,
    baselines,
    startProduct: start,
    compare: (title, arms, load, blocks = size.blocks) =>
      step(title, async (note) => {
        const measured = await measureBlocks(arms, {
          blocks,
          load: { ...load, lead_ms: leadMs, duration_ms: size.slice_seconds * 1_000 },
          warm_up_ms: size.warm_up_seconds * 1_000,
          note,
          signal: interruption,
        })
        note(`${blocks} blocks`)
        return measured
      }),
  }
}

function remember<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined
  return () => {
    created ??= create()
    return created
  }
}
