import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { PictureUse } from '#admin-api'

/** CPU time of a picture at most: only a file that was made for it needs so much, also on a busy machine. Our choice. */
const processorLimitMs = 10_000
const checkIntervalMs = 500
/** After so long without pictures, the thread ends, and its memory is free. Our choice. */
const idleMs = 60_000

/** What the thread does with a file: it reduces it to what its use needs, or without one to a small square JPEG. */
export interface PictureTask {
  readonly source: Uint8Array
  readonly use?: PictureUse
}

/** Decodes pictures one at a time in a thread of their own, so that a hostile file neither delays nor ends the process. */
export interface PictureThread extends Disposable {
  /**
   * Decodes a picture, and encodes its pixels again.
   *
   * @throws Error if the picture cannot be used
   */
  readonly encode: (task: PictureTask) => Promise<Buffer>
}

export function createPictureThread(): PictureThread {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let lastPicture: Promise<unknown> = Promise.resolve()

  function end(): void {
    clearTimeout(idle)
    void worker?.terminate()
    worker = undefined
  }

  async function encodeNext(task: PictureTask): Promise<Buffer> {
    clearTimeout(idle)
    worker ??= startWorker(() => {
      worker = undefined
    })
    try {
      using watched = watch(worker)
      const encoded = once(worker, 'message', { signal: watched.failed })
      worker.postMessage(task)
      const [picture] = await encoded
      idle = setTimeout(end, idleMs).unref()
      return Buffer.from(picture)
    } catch (cause) {
      end()
      throw new Error('The picture cannot be decoded.', { cause })
    }
  }

  return {
    encode(task) {
      const next = lastPicture.catch(() => {}).then(() => encodeNext(task))
      lastPicture = next
      return next
    },
    [Symbol.dispose]: end,
  }
}

/** Watches the thread: `failed` when it has used the CPU time of a picture from now on, or has ended. */
function watch(worker: Worker): { readonly failed: AbortSignal } & Disposable {
  const abort = new AbortController()
  const fail = () => abort.abort()
  // Until the thread runs, it has used nothing.
  const before = worker.cpuUsage().catch(() => undefined)
  const timer = setInterval(async () => {
    const used = await worker.cpuUsage(await before).catch(() => undefined)
    if (used !== undefined && used.user + used.system > processorLimitMs * 1_000) fail()
  }, checkIntervalMs)
  worker.on('exit', fail)
  return {
    failed: abort.signal,
    [Symbol.dispose]() {
      clearInterval(timer)
      worker.off('exit', fail)
    },
  }
}

/** Starts the thread, which does not keep the process alive. @param onEnd is called if it ends without having been asked to */
function startWorker(onEnd: () => void): Worker {
  const source = new URL('../picture-worker.ts', import.meta.url)
  // In the image, it is bundled like a program.
  const file = existsSync(source) ? source : new URL('../picture-worker.js', import.meta.url)
  const worker = new Worker(file, {
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  worker.unref()
  // An error rejects the picture that is being decoded.
  worker.on('error', onEnd)
  // The decoder writes why it fails, with details of the file.
  worker.stdout.resume()
  worker.stderr.resume()
  return worker
}
