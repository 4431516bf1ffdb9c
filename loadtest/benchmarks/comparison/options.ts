import { parseArgs } from 'node:util'
import { z } from 'zod'
import { SetupError } from '#local'
import type { BenchPart, BenchSize } from './bench.ts'

export interface BenchOptions {
  readonly size: BenchSize
  readonly parts: readonly BenchPart[]
  /** Whether the run writes docs/operate/performance.md. */
  readonly page: boolean
  /** Whether the run is a short trial. */
  readonly quick: boolean
}

const fullSize: BenchSize = { blocks: 6, slice_seconds: 3, warm_up_seconds: 6, sites: 400, users: 400_000 }
const quickSize: BenchSize = { blocks: 2, slice_seconds: 0.5, warm_up_seconds: 0.5, sites: 20, users: 2_000 }

export function describeUsage(parts: readonly BenchPart[]): string {
  return `Usage: npm run bench [-- --part <part>] [--quick] [--page] [--blocks 6] [--seconds 3] [--sites 400] [--users 400000]

Compares the product with other ways to do the same work, in CPU time per request of all processes. --part can be repeated.
--quick tries all of it with short slices; its figures mean nothing. --page writes docs/operate/performance.md.

${parts.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}`).join('\n')}`
}

const whole = z.coerce.number().pipe(z.int().min(1)).optional()
const Values = z.object({
  part: z.array(z.string()).default([]),
  blocks: whole,
  seconds: z.coerce.number().positive().optional(),
  sites: whole,
  users: whole,
  page: z.boolean().default(false),
  quick: z.boolean().default(false),
  help: z.boolean().default(false),
  list: z.boolean().default(false),
})

/** Reads the command line. Undefined: it asks for the usage. @throws SetupError for a wrong option */
export function readBenchOptions(args: readonly string[], known: readonly BenchPart[]): BenchOptions | undefined {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      part: { type: 'string', multiple: true },
      blocks: text,
      seconds: text,
      sites: text,
      users: text,
      page: flag,
      quick: flag,
      help: flag,
      list: flag,
    },
  })
  const { part, blocks, seconds, sites, users, page, quick, help, list } = Values.parse(values)
  if (help || list) return undefined
  const unknown = part.find((name) => known.every((one) => one.name !== name))
  if (unknown !== undefined) throw new SetupError(`There is no part ${unknown}.\n\n${describeUsage(known)}`)
  if (page && quick) throw new SetupError('--page needs a run without --quick.')
  const usual = quick ? quickSize : fullSize
  return {
    size: {
      blocks: blocks ?? usual.blocks,
      slice_seconds: seconds ?? usual.slice_seconds,
      warm_up_seconds: usual.warm_up_seconds,
      sites: sites ?? usual.sites,
      users: users ?? usual.users,
    },
    parts: part.length === 0 ? known : known.filter(({ name }) => part.includes(name)),
    page,
    quick,
  }
}
