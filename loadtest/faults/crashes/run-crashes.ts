import { SetupError } from '#local'
import type { FaultPart, PartOptions, PartReport } from '../part.ts'
import { openFaultSite } from '../site.ts'
import { startFaultStack } from '../stack.ts'
import { accountOperations } from './account-operations.ts'
import { consoleOperations } from './console-operations.ts'
import { deletionOperations } from './deletion-operations.ts'
import { eventsOperation } from './events-operation.ts'
import { exportOperations } from './export-operation.ts'
import { createCaseRunner } from './fault-case.ts'
import { importOperation } from './import-operation.ts'
import { openKeyRotation, rotationName } from './key-rotation.ts'
import { linkOperation } from './link-operation.ts'
import { loginOperations } from './login-operations.ts'
import { type OperationResult, runMatrix } from './matrix.ts'
import { metadataOperation } from './metadata-operation.ts'
import { nativeLogin } from './native-login.ts'
import { formatCrashes } from './report.ts'
import { termsOperation } from './terms-operation.ts'
import { tokenRenewal } from './token-renewal.ts'
import { webApiOperations } from './web-api-operations.ts'
import { openWebhookFaults, webhookName } from './webhook-operation.ts'

/** All operations that one request starts. */
export const requestOperations = [
  ...webApiOperations,
  ...loginOperations,
  metadataOperation,
  nativeLogin,
  linkOperation,
  ...accountOperations,
  // Last of the logins at the other site: the terms are then required there.
  termsOperation,
  tokenRenewal,
  ...consoleOperations,
  ...exportOperations,
  ...deletionOperations,
  importOperation,
  eventsOperation,
]

/** The points that the core skips. */
const coreStride = 5

/** A crash, and a cut connection, at every statement and message of every participant of every operation. */
export const crashes: FaultPart = {
  name: 'crashes',
  description: 'ends processes and cuts connections at every statement and message of each operation',
  cases: [...requestOperations.map(({ name }) => name), webhookName, rotationName],
  core: ['create_user', 'delete_user'],
  run,
}

async function run(options: PartOptions): Promise<PartReport> {
  const { directory, selected, participants, core, step, interruption, print, save } = options
  const known = new Set(requestOperations.flatMap((operation) => operation.participants))
  const unknown = participants?.filter((name) => !known.has(name)) ?? []
  if (unknown.length > 0)
    throw new SetupError(`No process of ${unknown.join(', ')}. There are ${[...known].join(', ')}.`)
  await using services = await startFaultStack(directory, { step, interruption })
  await using rotation = await openKeyRotation(services)
  await using webhooks = await openWebhookFaults(services)
  const stack = { ...services, members: new Map([...services.members, [rotation.member.name, rotation.member]]) }
  const operations = [...requestOperations, webhooks.operation, rotation.operation]
  await using site = await step('Site', () => openFaultSite(stack))
  const runCase = createCaseRunner(stack, site)
  const results: OperationResult[] = []
  for (const operation of operations.filter(({ name }) => selected.includes(name))) {
    const limits = { participants, stride: core ? coreStride : 1, print }
    results.push(await runMatrix(operation, { stack, runCase }, limits))
    save(formatCrashes(results))
  }
  return formatCrashes(results)
}
