import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { root } from '../local/settings.ts'

const RenderedObject = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
  spec: z
    .object({
      ports: z.array(z.looseObject({ port: z.number() })).default([]),
      template: z
        .object({
          spec: z.looseObject({
            containers: z.array(
              z.looseObject({ ports: z.array(z.looseObject({ containerPort: z.number() })).default([]) }),
            ),
          }),
        })
        .optional(),
    })
    .optional(),
})
type RenderedObject = z.infer<typeof RenderedObject>

/** Short names of kinds, as kubectl knows them. */
const kinds: ReadonlyMap<string, string> = new Map([
  ['deploy', 'Deployment'],
  ['deployment', 'Deployment'],
  ['service', 'Service'],
  ['svc', 'Service'],
  ['job', 'Job'],
])

/** A command of a page. */
interface DocumentedCommand {
  readonly file: string
  readonly command: string
}

/**
 * Finds kubectl commands that do not fit the release `social-login` in the namespace `social-login`:
 * objects, ports and labels that it does not have, logs that would be cut, and numbers of replicas that Helm manages.
 *
 * @param rendered the objects of the release
 * @returns one sentence for each
 */
export function findWrongCommands(rendered: string, commands: readonly DocumentedCommand[]): string[] {
  const objects = parseAllDocuments(rendered).flatMap((document) => {
    const parsed = RenderedObject.safeParse(document.toJSON())
    return parsed.success ? [parsed.data] : []
  })
  return commands.flatMap(({ file, command }) =>
    findProblems(command.split(/\s+/), objects).map((problem) => `${file}: ${command}\n  ${problem}`),
  )
}

/** The kubectl commands of the documentation that concern the namespace of the release. */
export function readKubectlCommands(): DocumentedCommand[] {
  const files = globSync(['docs/**/*.md', 'charts/**/*.md', 'deploy/**/*.md'], {
    cwd: root,
    exclude: ['**/node_modules/**', '**/.vitepress/**'],
  })
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/\\\n\s*/g, '')
    const commands = [...text.matchAll(/\bkubectl (?:-n|--namespace) social-login [^`\n|]+/g)]
    return commands.map(([command]) => ({ file, command: command.trim() }))
  })
}

function findProblems(words: readonly string[], objects: readonly RenderedObject[]): string[] {
  const [, , , verb = ''] = words
  return [
    ...(verb === 'scale' ? ['Helm 4 rejects the next upgrade: change replicas by values.'] : []),
    ...(verb === 'logs' && words.includes('-l') && words.every((word) => !word.startsWith('--tail'))
      ? ['Without --tail, kubectl shows ten lines of each pod.']
      : []),
    ...findUnknownObjects(words, objects),
    ...findUnknownLabels(words, objects),
    ...(verb === 'port-forward' ? findUnknownPorts(words, objects) : []),
  ]
}

/** The object that a word such as `deploy/social-login-identity` names; undefined for a word of another form. */
function parseReference(word: string): { readonly kind: string; readonly name: string } | undefined {
  const [, short = '', name = ''] = /^(\w+)\/([\w.-]+)$/.exec(word) ?? []
  const kind = kinds.get(short)
  return kind === undefined ? undefined : { kind, name }
}

function findObject(objects: readonly RenderedObject[], word: string): RenderedObject | undefined {
  const reference = parseReference(word)
  return objects.find(({ kind, metadata }) => kind === reference?.kind && metadata.name === reference.name)
}

function findUnknownObjects(words: readonly string[], objects: readonly RenderedObject[]): string[] {
  return words
    .filter((word) => parseReference(word) !== undefined && findObject(objects, word) === undefined)
    .map((word) => `There is no ${word}.`)
}

/** Labels of other charts, such as those of NATS and Valkey. */
const foreignLabel = /^app\.kubernetes\.io\/name=/

function findUnknownLabels(words: readonly string[], objects: readonly RenderedObject[]): string[] {
  const given = words.flatMap((word, index) => (words[index - 1] === '-l' ? word.split(',') : []))
  return given
    .filter((label) => !foreignLabel.test(label) && !label.includes('<'))
    .filter((label) => {
      const [name = '', value] = label.split('=')
      return objects.every(({ metadata }) => metadata.labels[name] !== value)
    })
    .map((label) => `No object has the label ${label}.`)
}

function findUnknownPorts(words: readonly string[], objects: readonly RenderedObject[]): string[] {
  const found = words.map((word) => findObject(objects, word)).find((object) => object !== undefined)
  const [, port] = words.map((word) => /^\d+:(\d+)$/.exec(word)).find((match) => match !== null) ?? []
  const containers = found?.spec?.template?.spec.containers ?? []
  const ports = [
    ...(found?.spec?.ports.map((one) => one.port) ?? []),
    ...containers.flatMap((container) => container.ports.map(({ containerPort }) => containerPort)),
  ]
  return found === undefined || ports.includes(Number(port))
    ? []
    : [`It has no port ${port}, only ${ports.join(', ')}.`]
}
