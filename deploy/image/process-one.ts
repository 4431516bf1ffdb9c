import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort, SetupError } from '#local'
import { missesSettings, programPaths } from '../build/programs.ts'
import { readEntryPoint } from '../build/to-built.ts'

const readyDeadlineMs = 60_000

/**
 * Runs every program of the image as Kubernetes would: as process 1, as user 65532, on a read-only file system.
 *
 * @param files where its file system is mounted
 * @returns a summary
 */
export async function checkProcessOne(files: string): Promise<string> {
  for (const program of programPaths) {
    const { code, output } = await run(files, `/app/${program}`, {}).ended
    if (code !== 1 || !missesSettings(program, output)) {
      throw new SetupError(
        `${program} without settings ended with ${code}, and did not report the missing settings:\n${output}`,
      )
    }
  }
  await servesAndStops(files)
  return `${programPaths.length} programs report missing settings; one serves and stops at SIGTERM`
}

/** The simulator needs no other server, so it shows that a service serves and stops in order. */
async function servesAndStops(files: string): Promise<void> {
  const [port, operationsPort] = await Promise.all([findFreePort(), findFreePort()])
  const simulator = run(files, '/app/services/provider-simulator/main.js', {
    PORT: String(port),
    OPS_PORT: String(operationsPort),
    SIMULATOR_URL: `http://localhost:${port}`,
  })
  const until = Date.now() + readyDeadlineMs
  while (!(await isReady(operationsPort))) {
    if (simulator.child.exitCode !== null || Date.now() > until) {
      simulator.child.kill()
      throw new SetupError(`The simulator did not become ready:\n${(await simulator.ended).output}`)
    }
    await delay(100)
  }
  const { pid } = simulator.child
  process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')), 'SIGTERM')
  const { code, output } = await simulator.ended
  if (code !== 0 || !output.includes('"stopped"')) {
    throw new SetupError(`The simulator ended with ${code} at SIGTERM instead of stopping in order:\n${output}`)
  }
}

interface Run {
  readonly child: ChildProcess
  /** Resolves with the exit code and all that was printed. */
  readonly ended: Promise<{ code: number | null; output: string }>
}

/** Runs the image's entry point as the only process, on a read-only file system. */
function run(files: string, script: string, environment: Readonly<Record<string, string>>): Run {
  const inside = [
    'mkdir -p "$0/proc" && mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && mount -o remount,ro,bind "$0"',
    'exec chroot --userspec=65532:65532 "$0" "$@"',
  ].join(' && ')
  const command = [...readEntryPoint(), script]
  const child = spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', inside, files, ...command],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...environment },
    },
  )
  const code = new Promise<number | null>((resolve) => child.on('close', resolve))
  const ended = Promise.all([code, text(child.stdout), text(child.stderr)]).then(([code, out, err]) => ({
    code,
    output: out + err,
  }))
  return { child, ended }
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}
