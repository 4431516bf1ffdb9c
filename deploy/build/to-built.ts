import { join } from 'node:path'
import type { ServiceDescription } from '../local/services.ts'

/**
 * The service as the image runs it.
 *
 * @param directory that `buildPrograms` has built
 */
export function toBuilt(service: ServiceDescription, directory: string): ServiceDescription {
  return { ...service, script: join(directory, service.script.replace(/\.ts$/, '.js')) }
}
