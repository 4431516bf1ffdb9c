import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * Sends the signal to the process when this process ends, even by SIGKILL: a shell waits on a pipe that only this process
 * holds open. The returned function stops the watcher.
 */
export function signalOnParentExit(pid: number, signal: NodeJS.Signals): () => void {
  const script = 'read -r _ || kill -s "$1" "$2"'
  const shell = spawn('/bin/sh', ['-c', script, 'watcher', signal.slice('SIG'.length), String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.on('error', () => {}) // Without a shell there is no watcher; everything else works.
  shell.unref()
  const { stdin } = shell
  stdin.on('error', () => {}) // The watcher was killed before it was stopped.
  if (stdin instanceof Socket) stdin.unref()
  return () => stdin.end('dismissed\n')
}
