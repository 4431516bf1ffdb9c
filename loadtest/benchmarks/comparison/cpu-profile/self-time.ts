import { z } from 'zod'

const CallFrame = z.object({
  functionName: z.string(),
  url: z.string(),
  lineNumber: z.int(),
  columnNumber: z.int(),
})
export type CallFrame = z.infer<typeof CallFrame>
const ProfileNode = z.object({ id: z.int(), callFrame: CallFrame, children: z.array(z.int()).default([]) })
type ProfileNode = z.infer<typeof ProfileNode>

/** The part of a `.cpuprofile` that is read here. Times are in microseconds of the monotonic clock. */
export const CpuProfile = z.object({
  nodes: z.array(ProfileNode),
  startTime: z.number(),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
})
export type CpuProfile = z.infer<typeof CpuProfile>

/** Self time of an owner in microseconds: a package, or a directory of this repository. */
export type SelfTime = ReadonlyMap<string, number>

export interface SelfTimeOptions {
  readonly from: number
  readonly to: number
  /** The path of the source of a function, relative to the repository, or the URL of a module of Node.js. */
  readonly findSource: (frame: CallFrame) => string
}

/** Adds up the self time by owner between two moments, without idle time. */
export function computeSelfTime(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  { from, to, findSource }: SelfTimeOptions,
): SelfTime {
  const owners = findOwners(nodes, findSource)
  const total = new Map<string, number>()
  let at = startTime
  for (const [n, id] of samples.entries()) {
    const delta = timeDeltas[n] ?? 0
    at += delta
    const owner = owners.get(id)
    if (owner === undefined || at < from || at > to) continue
    total.set(owner, (total.get(owner) ?? 0) + Math.max(0, delta))
  }
  return total
}

/** The owner of each node. Native code belongs to the owner of the function that calls it. */
function findOwners(
  nodes: readonly ProfileNode[],
  findSource: SelfTimeOptions['findSource'],
): ReadonlyMap<number, string | undefined> {
  const callers = new Map(nodes.flatMap((node) => node.children.map((child) => [child, node])))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const ownerOf = (id: number): string | undefined => {
    const frame = byId.get(id)?.callFrame
    if (frame?.functionName === '(idle)') return undefined
    if (frame?.functionName === '(garbage collector)') return 'garbage collector'
    if (frame !== undefined && frame.url !== '') return nameOwner(findSource(frame))
    const caller = callers.get(id)
    return caller === undefined || caller.callFrame.functionName === '(root)' ? 'native code' : ownerOf(caller.id)
  }
  return new Map(nodes.map(({ id }) => [id, ownerOf(id)]))
}

function nameOwner(source: string): string {
  if (source.startsWith('node:')) return `Node.js: ${source.replace(/^node:(internal\/)?/, '').split('/')[0]}`
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? []
  return (
    name ??
    source
      .split('/')
      .slice(0, 3)
      .join('/')
      .replace(/\/[^/]+\.\w+$/, '')
  )
}
