import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SetupError } from '#local'

const mebibytes = 512

/** Mounts a file system of its own, which can be filled up, at a directory. @throws SetupError without privileges */
export function mountSmallDisk(directory: string): Disposable {
  mkdirSync(directory)
  // The server's user must reach it.
  chmodSync(dirname(directory), 0o755)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', directory], { stdio: 'pipe' })
  } catch (cause) {
    throw new SetupError('The test of a full disk mounts a small file system. Run it as root.', { cause })
  }
  return { [Symbol.dispose]: () => void execFileSync('umount', ['--lazy', directory]) }
}

/** Writes until no byte is free. */
export function fillDisk(directory: string): void {
  const file = openSync(fillerOf(directory), 'a')
  try {
    for (const size of [1_048_576, 4_096]) writeUntilFull(file, Buffer.alloc(size))
  } finally {
    closeSync(file)
  }
}

/** Removes what `fillDisk` wrote. */
export function freeDisk(directory: string): void {
  rmSync(fillerOf(directory), { force: true })
}

function fillerOf(directory: string): string {
  return join(directory, 'filler')
}

function writeUntilFull(file: number, block: Buffer): void {
  for (;;)
    try {
      if (writeSync(file, block) < block.length) return
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return
      throw error
    }
}
