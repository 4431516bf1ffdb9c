import { parentPort } from 'node:worker_threads'
import type { PictureTask } from './pictures/picture-thread.ts'
import { reducePicture } from './pictures/reduce-picture.ts'
import { toSquare } from './pictures/to-square.ts'

/** The thread that decodes pictures. A picture that it cannot decode ends it, because its decoder may be damaged. */
parentPort?.on('message', ({ source, use }: PictureTask) => {
  const file = Buffer.from(source)
  parentPort?.postMessage(use === undefined ? toSquare(file) : reducePicture(file, use))
})
