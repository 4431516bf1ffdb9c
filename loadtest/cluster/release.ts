import { setTimeout as delay } from 'node:timers/promises'
import { stringify } from 'yaml'
import { z } from 'zod'
import { SetupError } from '#local'
import { busServices } from '#runtime'
import { chart } from '../../deploy/chart/installations.ts'
import { runCheck } from '../../deploy/chart/run-program.ts'
import type { Step } from '../../deploy/local/progress.ts'
import { findOrBuild } from '../../deploy/tools/find-or-build.ts'

/** The programs that the check drives a cluster with. */
export interface ClusterPrograms {
  readonly kubectl: string
  readonly helm: string
  readonly helm3: string
}

/** Images of an installation. */
export interface ReleaseImages {
  readonly registry: string
  readonly tag: string
  /** Values of dev-deps for its servers. */
  readonly servers: Readonly<Record<string, string>>
}

export async function findClusterPrograms(step: Step): Promise<ClusterPrograms> {
  return step('Clients', async (note) => ({
    kubectl: await findOrBuild('kubectl', { note }),
    helm: await findOrBuild('helm', { note }),
    helm3: await findOrBuild('helm3', { note }),
  }))
}

/** Arguments of Node.js before the text of a script in TypeScript. */
export const scriptArguments = ['--input-type=module-typescript', '--eval'] as const

const retryMs = 120_000

const PodNames = z.object({
  items: z.array(z.object({ metadata: z.object({ name: z.string(), deletionTimestamp: z.string().optional() }) })),
})

/** The release that is checked, with its namespace. Programs that fail throw a SetupError with their output. */
export class Release {
  readonly programs: ClusterPrograms
  readonly namespace: string
  readonly image: string
  readonly images: ReleaseImages
  /** Whether the cluster exists only for the check. */
  readonly isLocal: boolean

  constructor(
    programs: ClusterPrograms,
    { namespace, images, isLocal }: Pick<Release, 'namespace' | 'images' | 'isLocal'>,
  ) {
    this.programs = programs
    this.namespace = namespace
    this.images = images
    this.isLocal = isLocal
    this.image = `${images.registry}/social-login:${images.tag}`
  }

  kubectl(...args: readonly string[]): Promise<string> {
    return runCheck(this.programs.kubectl, ['--namespace', this.namespace, ...args])
  }

  apply(...objects: readonly object[]): Promise<string> {
    const text = objects.map((object) => stringify(object)).join('---\n')
    return runCheck(this.programs.kubectl, ['--namespace', this.namespace, 'apply', '-f', '-'], text)
  }

  /** Runs Helm 4, or Helm 3, on the release. */
  helm(command: string, args: readonly string[] = [], program = this.programs.helm): Promise<string> {
    return runCheck(program, [command, 'social-login', '--namespace', this.namespace, ...args])
  }

  /** Installs or upgrades the product with two replicas of each service, and with policies that let in only marked pods. */
  async deploy(
    command: 'install' | 'upgrade',
    args: readonly string[] = [],
    program = this.programs.helm,
  ): Promise<void> {
    const values = ['--values', 'charts/dev-deps/product-values.yaml', '--values', 'loadtest/cluster/values.yaml']
    const image = ['--set', `image.registry=${this.images.registry},image.tag=${this.images.tag}`]
    await this.helm(command, [chart, ...values, ...image, ...args, '--wait', '--timeout', '10m'], program)
  }

  async installServers(): Promise<void> {
    const values = { ...this.images.servers, 'simulator.image': this.image, acknowledge: 'true' }
    const set = Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`])
    const where = ['--namespace', this.namespace, '--wait', '--timeout', '10m']
    await runCheck(this.programs.helm, ['install', 'dev-deps', 'charts/dev-deps', ...set, ...where])
  }

  /** The names of the pods of a service that are not being deleted. */
  async pods(service: string): Promise<string[]> {
    const pods = await this.#findPods(`app.kubernetes.io/component=${service}`)
    return pods.flatMap(({ name, deletionTimestamp }) => (deletionTimestamp === undefined ? [name] : []))
  }

  /** Waits until all replicas of all services are ready, and pods that are being deleted are gone. */
  async waitUntilSettled(): Promise<void> {
    for (const service of busServices)
      await this.kubectl('rollout', 'status', `deploy/social-login-${service}`, '--timeout=5m')
    await this.retry(async () => {
      const pods = await this.#findPods()
      if (pods.some(({ deletionTimestamp }) => deletionTimestamp !== undefined))
        throw new SetupError('There are pods that are being deleted.')
    })
  }

  async #findPods(...labels: readonly string[]) {
    const selector = ['app.kubernetes.io/instance=social-login', ...labels].join(',')
    const { items } = PodNames.parse(JSON.parse(await this.kubectl('get', 'pods', '-l', selector, '--output=json')))
    return items.map(({ metadata }) => metadata)
  }

  /** Runs a script in a pod. @returns what it prints */
  runScript(pod: string, script: string, ...args: readonly string[]): Promise<string> {
    return this.kubectl('exec', pod, '--', 'node', ...scriptArguments, script, ...args)
  }

  /** Repeats a command while it fails for a reason that ends. @throws the last error after two minutes */
  async retry<T>(work: () => Promise<T>, isTemporary: (error: SetupError) => boolean = () => true): Promise<T> {
    const until = performance.now() + retryMs
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof SetupError) || !isTemporary(error) || performance.now() > until) throw error
        await delay(500)
      }
    }
  }
}
