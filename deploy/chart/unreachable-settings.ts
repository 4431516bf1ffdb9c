import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { root } from '../local/settings.ts'

const Deployment = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.array(z.object({ name: z.string(), env: z.array(z.object({ name: z.string() })).default([]) })),
      }),
    }),
  }),
})

const ServiceConfig = z.object({ readConfig: z.custom<{ readonly settings: readonly string[] }>() })

/** The simulator plays login providers and is not part of an installation. */
const notInstalled = ['provider-simulator']

/** In a pod the ports must listen on all interfaces: the kubelet and other pods connect to them. */
const notInPods = ['HOST']

/** Names that Node and OpenTelemetry read themselves, names used to compose them, and those that ci/ adds by `env`. */
const others = /^(NODE_|OTEL_|K8S_|FEATURE$|LEVEL$)/

/**
 * What the services read from their environment and no installation sets, and the reverse: `<service> <setting>`. A secret has one way
 * in: as a file, by `<setting>_FILE`.
 *
 * @param rendered objects of each installation
 */
export async function findUnreachableSettings(
  rendered: readonly string[],
): Promise<{ missing: string[]; unknown: string[] }> {
  const containers = new Map<string, Set<string>>()
  for (const document of rendered.flatMap((objects) => parseAllDocuments(objects))) {
    const deployment = Deployment.safeParse(document.toJSON())
    if (!deployment.success) continue
    for (const { name, env } of deployment.data.spec.template.spec.containers) {
      containers.set(name, new Set([...(containers.get(name) ?? []), ...env.map((variable) => variable.name)]))
    }
  }

  const missing: string[] = []
  const unknown: string[] = []
  for (const path of globSync(join(root, 'services/*/config.ts'))) {
    const service = basename(dirname(path))
    if (notInstalled.includes(service)) continue
    const { readConfig } = ServiceConfig.parse(await import(path))
    const given = containers.get(service) ?? new Set()
    const isGiven = (name: string) =>
      given.has(name) || (given.has(`${name}_FILE`) && readConfig.settings.includes(`${name}_FILE`))
    missing.push(
      ...readConfig.settings
        .filter((name) => !isGiven(name) && !notInPods.includes(name))
        .map((name) => `${service} ${name}`),
    )
    unknown.push(
      ...[...given]
        .filter((name) => !readConfig.settings.includes(name) && !others.test(name))
        .map((name) => `${service} ${name}`),
    )
  }
  return { missing, unknown }
}
