import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { SetupError } from '#local'
import { readKubectlCommands } from '../../deploy/chart/documented-commands.ts'
import { runCheck } from '../../deploy/chart/run-program.ts'
import type { Note } from '../../deploy/local/progress.ts'
import type { Release } from './release.ts'

/** Commands that cannot be tried: one needs the internet, and one is an alias, which the following lines of its page use. */
const impossible = [/<provider host>/, /create secret generic'$/]

/** Commands that are sent to the API server without an effect, because their effect would disturb the check. */
const withoutEffect = [/ create secret /, / delete job,/]

/** Errors with which a correct command says that there is nothing to show. */
const nothingToShow = [/previous terminated container .* not found/, /secrets "[\w-]+" already exists/]
/** The same in a cluster without the operators of the chart's optional kinds. */
const unknownKind = /doesn't have a resource type/

/**
 * Runs the kubectl commands of documentation and runbooks against the release.
 *
 * @returns how many were tried, and which were not
 * @throws SetupError with the commands that fail
 */
export async function runDocumentedCommands(release: Release, note: Note): Promise<string> {
  const commands = new Map(readKubectlCommands().map(({ file, command }) => [command, file]))
  const skipped: string[] = []
  const wrong: string[] = []
  for (const [command, file] of commands) {
    if (impossible.some((pattern) => pattern.test(command))) {
      skipped.push(`\`${command}\``)
      continue
    }
    note(command)
    const [pod = ''] = await release.pods('identity')
    try {
      await runCommand(release, fillIn(command, pod, release))
      // The next command must not meet pods that end.
      if (/ (rollout restart|delete pod) /.test(command)) await release.waitUntilSettled()
    } catch (error) {
      const message = error instanceof SetupError ? error.message : String(error)
      const harmless = release.isLocal ? nothingToShow : [...nothingToShow, unknownKind]
      if (!harmless.some((pattern) => pattern.test(message)))
        wrong.push(`${file}: ${command}\n  ${message.trim().split('\n').at(-1)}`)
    }
  }
  if (wrong.length > 0) throw new SetupError(`Documented commands failed.\n${wrong.join('\n')}`)
  return `${commands.size - skipped.length} commands; not tried: ${skipped.join(' and ')}`
}

/** Replaces placeholders, and the namespace of the documentation. */
function fillIn(command: string, pod: string, { namespace }: Release): string {
  return command
    .replace(/(-n|--namespace) social-login /, `$1 ${namespace} `)
    .replaceAll('<pod>', pod)
    .replaceAll('<service>', 'friendship')
    .replaceAll('<job_name>', 'social-login-migrate')
}

async function runCommand({ programs }: Release, command: string): Promise<void> {
  const [, rest = ''] = /^kubectl (.*?)(?: > \/dev\/null &)?$/s.exec(command) ?? []
  if (/ port-forward /.test(command)) return forwardPort(programs.kubectl, rest)
  const end = withoutEffect.some((pattern) => pattern.test(command)) ? ' --dry-run=server' : ''
  await runCheck('sh', ['-c', `token=check; exec "$0" ${rest}${end}`, programs.kubectl])
}

/** Resolves when the port is forwarded, and ends the command. */
async function forwardPort(kubectl: string, rest: string): Promise<void> {
  const child = spawn('sh', ['-c', `exec "$0" ${rest}`, kubectl], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  try {
    await new Promise<void>((resolve, reject) => {
      createInterface(child.stdout).on('line', (line) => line.startsWith('Forwarding from') && resolve())
      createInterface(child.stderr).on('line', (line) => lines.push(line))
      child.on('close', () => reject(new SetupError(lines.join('\n'))))
      setTimeout(() => reject(new SetupError('The port was not forwarded in 30 s.')), 30_000).unref()
    })
  } finally {
    child.kill()
  }
}
