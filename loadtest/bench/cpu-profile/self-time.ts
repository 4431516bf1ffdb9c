import { z } from 'zod'

/** The part of a `.cpuprofile` that is read here. Times are in microseconds of the monotonic clock. */
export const CpuProfile = z.object({
  nodes: z.array(z.object({ id: z.int(), callFrame: z.object({ functionName: z.string(), url: z.string() }) })),
  startTime: z.number(),
  samples: z.array(z.int()),
  timeDeltas: z.array(z.number()),
})
export type CpuProfile = z.infer<typeof CpuProfile>

/** Self time of an owner in microseconds: a package, or a directory of this repository. */
export type SelfTime = ReadonlyMap<string, number>

/** Adds up the self time by owner between two moments, without idle time. */
export function computeSelfTime(
  { nodes, startTime, samples, timeDeltas }: CpuProfile,
  { from, to, root }: { from: number; to: number; root: string },
): SelfTime {
  const owners = new Map(nodes.map(({ id, callFrame }) => [id, findOwner(callFrame, root)]))
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

/** Undefined for idle time. */
function findOwner(
  { functionName, url }: { readonly functionName: string; readonly url: string },
  root: string,
): string | undefined {
  if (functionName === '(idle)') return undefined
  if (functionName === '(garbage collector)') return 'garbage collector'
  if (url === '') return 'native code'
  if (url.startsWith('node:'))
    return `Node.js: ${
      url
        .slice('node:'.length)
        .replace(/^internal\//, '')
        .split('/')[0]
    }`
  const path = decodeURIComponent(url.replace(/^file:\/\//, '')).replace(`${root}/`, '')
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  return (
    name ??
    path
      .split('/')
      .slice(0, 3)
      .join('/')
      .replace(/\/[^/]+\.\w+$/, '')
  )
}
