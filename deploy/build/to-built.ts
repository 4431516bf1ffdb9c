import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ServiceDescription } from '../local/services.ts'
import { root } from '../local/settings.ts'

/**
 * The service as the image runs it.
 *
 * @param directory that `buildPrograms` has built
 */
export function toBuilt(service: ServiceDescription, directory: string): ServiceDescription {
  const script = join(directory, service.script.replace(/\.ts$/, '.js'))
  return { ...service, script, node_arguments: readEntryPoint().slice(1) }
}

/** The command of the image: Node.js with its arguments. */
export function readEntryPoint(): readonly string[] {
  const [, entryPoint = ''] = /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')) ?? []
  return z.array(z.string()).min(1).parse(JSON.parse(entryPoint))
}
