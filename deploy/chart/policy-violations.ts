import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

const Container = z.object({
  name: z.string(),
  image: z.string(),
  env: z.array(z.object({ name: z.string() })).default([]),
  resources: z.object({
    requests: z.record(z.string(), z.unknown()).default({}),
    limits: z.record(z.string(), z.unknown()).default({}),
  }),
  securityContext: z.looseObject({
    allowPrivilegeEscalation: z.unknown(),
    readOnlyRootFilesystem: z.unknown(),
    capabilities: z.object({ drop: z.array(z.string()) }),
  }),
})
const Pod = z.object({
  automountServiceAccountToken: z.boolean(),
  enableServiceLinks: z.boolean(),
  hostNetwork: z.unknown().optional(),
  hostPID: z.unknown().optional(),
  securityContext: z.looseObject({
    runAsNonRoot: z.unknown(),
    runAsUser: z.number(),
    seccompProfile: z.object({ type: z.string() }),
  }),
  containers: z.array(Container),
  initContainers: z.array(Container).default([]),
  volumes: z.array(z.looseObject({ name: z.string(), hostPath: z.unknown().optional() })).default([]),
})
const WithTemplate = z.object({ spec: z.object({ template: z.object({ spec: Pod }) }) })
const WithPod = z.object({ spec: Pod })
const Named = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string().max(253), labels: z.record(z.string(), z.string().max(63)) }),
})

/** Labels that every object has. */
const labels = [
  'helm.sh/chart',
  ...['name', 'instance', 'component', 'part-of', 'version', 'managed-by'].map((name) => `app.kubernetes.io/${name}`),
]

/** The maximum size of an object in Kubernetes' store. */
const mostBytes = 2 ** 20

/**
 * Finds violations that no schema detects: of Pod Security `restricted`, and of our own rules (requests, a memory limit, no token,
 * a complete image name, unique variables and keys, recommended labels, unique objects). Returns one sentence for each.
 */
export function findPolicyViolations(rendered: string): string[] {
  const seen = new Set<string>()
  return parseAllDocuments(rendered).flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) return [`an object is not YAML: ${error.message}`]
    const object: unknown = document.toJSON()
    if (object === null) return []
    const named = Named.safeParse(object)
    if (!named.success)
      return isOfOurs(object) ? [`an object has no kind, name or labels: ${JSON.stringify(object).slice(0, 200)}`] : []
    const name = `${named.data.kind}/${named.data.metadata.name}`
    const twice = seen.has(name) ? ['is defined twice'] : []
    seen.add(name)
    const missing = labels
      .filter((label) => named.data.metadata.labels[label] === undefined)
      .map((label) => `lacks the label ${label}`)
    const large = say(JSON.stringify(object).length < mostBytes, 'is too large for Kubernetes')
    return [...twice, ...missing, ...large, ...ofPods(named.data.kind, object)].map((sentence) => `${name} ${sentence}`)
  })
}

/** Objects from values (`extraObjects`) can have any labels. */
function isOfOurs(object: unknown): boolean {
  return typeof object !== 'object' || object === null || !('data' in object)
}

function ofPods(kind: string, object: unknown): string[] {
  if (!['Deployment', 'StatefulSet', 'Job', 'Pod'].includes(kind)) return []
  const parsed = kind === 'Pod' ? WithPod.safeParse(object) : WithTemplate.safeParse(object)
  if (!parsed.success) return [`is not a pod as it must be: ${z.prettifyError(parsed.error)}`]
  const pod = 'template' in parsed.data.spec ? parsed.data.spec.template.spec : parsed.data.spec
  const { securityContext: context } = pod
  return [
    ...say(context.runAsNonRoot === true && context.runAsUser > 0, 'may run as root'),
    ...say(context.seccompProfile.type === 'RuntimeDefault', 'has no seccomp profile'),
    ...say(!pod.automountServiceAccountToken, 'is given a service account token'),
    ...say(!pod.enableServiceLinks, 'receives other services in its environment'),
    ...say(!pod.hostNetwork && !pod.hostPID, 'shares what is the node’s'),
    ...say(
      pod.volumes.every(({ hostPath }) => hostPath === undefined),
      'mounts a path of the node',
    ),
    ...[...pod.initContainers, ...pod.containers].flatMap(ofContainer),
  ]
}

function ofContainer({ name, image, env, resources, securityContext }: z.output<typeof Container>): string[] {
  const variables = env.map((variable) => variable.name)
  return [
    ...say(securityContext.allowPrivilegeEscalation === false, 'may gain rights'),
    ...say(securityContext.readOnlyRootFilesystem === true, 'may write to its image'),
    ...say(securityContext.capabilities.drop.includes('ALL'), 'keeps capabilities'),
    ...say('cpu' in resources.requests && 'memory' in resources.requests, 'requests no CPU or memory'),
    ...say('memory' in resources.limits, 'has no memory limit'),
    ...say(/^[^/]+\.[^/]+\/.+(:|@)/.test(image), `has an image without registry or version: ${image}`),
    ...say(new Set(variables).size === variables.length, 'has a variable twice'),
  ].map((sentence) => `container ${name} ${sentence}`)
}

const say = (holds: boolean, sentence: string) => (holds ? [] : [sentence])
