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
        containers: z.array(z.object({ name: z.string(), env: z.array(z.object({ name: z.string() })) })),
      }),
    }),
  }),
})

const ServiceConfig = z.object({ readConfig: z.custom<{ readonly settings: readonly string[] }>() })

/** Not for installations: the simulator stands in for login providers and is no service of the product. */
const not_installed = ['provider-simulator']
/**
 * Settings that an installation does without: a secret has one way in, by Secret; what a process shows of itself to NATS and Redis are files
 * that `extraVolumes` bring and `env` names; authorities are trusted by `trust`.
 */
const left_out = /^(SEAL_KEYS|(DATABASE_URL|REDIS_URL|NATS_URL|CURSOR_KEY)_FILE|(NATS|REDIS)_(CREDS|CA|CERT|KEY)_FILE)$/

/**
 * What the services read from their environment and the rendered objects do not set, and the reverse: `<service> <setting>`.
 *
 * @param rendered objects of an installation that sets everything
 */
export async function unreachableSettings(rendered: string): Promise<{ missing: string[]; unknown: string[] }> {
  const containers = new Map<string, Set<string>>()
  for (const document of parseAllDocuments(rendered)) {
    const deployment = Deployment.safeParse(document.toJSON())
    if (!deployment.success) continue
    for (const { name, env } of deployment.data.spec.template.spec.containers) {
      containers.set(name, new Set(env.map((variable) => variable.name)))
    }
  }

  const missing: string[] = []
  const unknown: string[] = []
  for (const path of globSync(join(root, 'services/*/config.ts'))) {
    const service = basename(dirname(path))
    if (not_installed.includes(service)) continue
    const { readConfig } = ServiceConfig.parse(await import(path))
    const given = containers.get(service) ?? new Set()
    missing.push(
      ...readConfig.settings
        .filter((name) => !given.has(name) && !left_out.test(name))
        .map((name) => `${service} ${name}`),
    )
    // Names that Node and OpenTelemetry read themselves, and those of the installation.
    const others = /^(NODE_|OTEL_|TRUST_TRACEPARENT$|FEATURE$|LEVEL$)/
    unknown.push(
      ...[...given]
        .filter((name) => !readConfig.settings.includes(name) && !others.test(name))
        .map((name) => `${service} ${name}`),
    )
  }
  return { missing, unknown }
}
