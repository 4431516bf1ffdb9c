import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * Sends the signal to the process when this one ends, be it by SIGKILL: a shell waits at a pipe that only this process
 * holds open. The returned function dismisses it.
 */
export function watch(pid: number, signal: NodeJS.Signals): () => void {
  const script = 'read -r _ || kill -s "$1" "$2"'
  const shell = spawn('/bin/sh', ['-c', script, 'watcher', signal.slice('SIG'.length), String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.on('error', () => {}) // without a shell there is no watcher; everything else works
  shell.unref()
  const { stdin } = shell
  stdin.on('error', () => {}) // the watcher was killed before it was dismissed
  if (stdin instanceof Socket) stdin.unref()
  return () => stdin.end('dismissed\n')
}
