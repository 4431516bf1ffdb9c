import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Release } from './release.ts'

/** The label that the network policies of the check select: what a pod plays. */
export type Role = 'edge' | 'monitoring' | 'other'

export function readPodScript(name: string): string {
  return readFileSync(join(import.meta.dirname, 'pods', name), 'utf8')
}

interface PodOptions {
  readonly name: string
  readonly role: Role
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Name of a Secret that is mounted at /secret. */
  readonly secret?: string
}

/** A pod of the product's image that Pod Security `restricted` allows. */
export function describePod({ image }: Release, { name, role, args, env = {}, secret }: PodOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { 'cluster-check': role } },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 0,
      securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        {
          name: 'check',
          image,
          args,
          env: Object.entries(env).map(([name, value]) => ({ name, value })),
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
          resources: { requests: { cpu: '10m', memory: '64Mi' } },
          ...(secret !== undefined && { volumeMounts: [{ name: 'secret', mountPath: '/secret' }] }),
        },
      ],
      ...(secret !== undefined && { volumes: [{ name: 'secret', secret: { secretName: secret } }] }),
    },
  }
}
