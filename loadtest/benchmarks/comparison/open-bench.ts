import { join } from 'node:path'
import type { Step } from '../../../deploy/local/progress.ts'
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
  return {
    step,
    generator,
    startProduct: (name, { gateways }) =>
      startProduct({
        directory: join(directory, name),
        sites: size.sites,
        users: size.users,
        gateways,
        step,
        interruption,
      }),
    compare: (title, arms, load) =>
      step(title, async (note) => {
        const measured = await measureBlocks(arms, {
          blocks: size.blocks,
          load: { ...load, lead_ms: leadMs, duration_ms: size.slice_seconds * 1_000 },
          warm_up_ms: size.warm_up_seconds * 1_000,
          note,
          signal: interruption,
        })
        note(`${size.blocks} blocks`)
        return measured
      }),
  }
}
