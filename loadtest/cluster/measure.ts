import { z } from 'zod'
import { busServices } from '#runtime'
import { runCheck } from '../../deploy/chart/run-program.ts'
import type { Release } from './release.ts'

/** Figures of the pods of a service. */
export interface ServiceFigures {
  readonly service: string
  /** MiB that the kernel cannot reclaim, of the largest pod. */
  readonly workingSet: number
  /** Seconds from the start of the process until the pod is ready, of the slowest pod. */
  readonly startSeconds: number
}

export interface ReleaseFigures {
  /** MB of the image, as the node reports it. */
  readonly imageMegabytes: number
  readonly services: readonly ServiceFigures[]
}

const Pods = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string(), deletionTimestamp: z.string().optional() }),
      status: z.object({
        conditions: z.array(z.object({ type: z.string(), lastTransitionTime: z.coerce.date() })),
        containerStatuses: z.array(
          z.object({ state: z.object({ running: z.object({ startedAt: z.coerce.date() }).optional() }) }),
        ),
      }),
    }),
  ),
})
const Nodes = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      status: z.object({ images: z.array(z.object({ names: z.array(z.string()), sizeBytes: z.number() })) }),
    }),
  ),
})
const Summary = z.object({
  pods: z.array(
    z.object({
      podRef: z.object({ name: z.string(), namespace: z.string() }),
      memory: z.object({ workingSetBytes: z.number() }).optional(),
    }),
  ),
})

/** Reads what the nodes report about the release. Times have a resolution of a second, which is that of Kubernetes. */
export async function measureRelease(release: Release): Promise<ReleaseFigures> {
  const nodes = Nodes.parse(JSON.parse(await release.kubectl('get', 'nodes', '--output=json'))).items
  const memory = new Map<string, number>()
  for (const { metadata } of nodes) {
    const path = `/api/v1/nodes/${metadata.name}/proxy/stats/summary`
    const summary = Summary.parse(JSON.parse(await runCheck(release.programs.kubectl, ['get', '--raw', path])))
    for (const { podRef, memory: used } of summary.pods)
      if (podRef.namespace === release.namespace) memory.set(podRef.name, used?.workingSetBytes ?? 0)
  }
  const image = nodes
    .flatMap(({ status }) => status.images)
    .find(({ names }) => names.some((name) => name.endsWith(release.image)))
  const figures: ServiceFigures[] = []
  for (const service of busServices) {
    const selector = `app.kubernetes.io/instance=social-login,app.kubernetes.io/component=${service}`
    const { items } = Pods.parse(JSON.parse(await release.kubectl('get', 'pods', '-l', selector, '--output=json')))
    const pods = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    figures.push({
      service,
      workingSet: Math.round(Math.max(...pods.map(({ metadata }) => memory.get(metadata.name) ?? 0)) / 2 ** 20),
      startSeconds: Math.max(...pods.map(({ status }) => secondsUntilReady(status))),
    })
  }
  return { imageMegabytes: Math.round((image?.sizeBytes ?? 0) / 1e6), services: figures }
}

type PodStatus = z.infer<typeof Pods>['items'][number]['status']

function secondsUntilReady({ conditions, containerStatuses }: PodStatus): number {
  const ready = conditions.find(({ type }) => type === 'Ready')?.lastTransitionTime
  const started = containerStatuses[0]?.state.running?.startedAt
  return ready && started ? (ready.getTime() - started.getTime()) / 1_000 : Number.NaN
}
