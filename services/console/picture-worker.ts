import { parentPort } from 'node:worker_threads'
import { toSquare } from './pictures/to-square.ts'

/** The thread that decodes pictures of users. A picture that it cannot decode ends it, because its decoder may be damaged. */
parentPort?.on('message', (source: Uint8Array) => parentPort?.postMessage(toSquare(Buffer.from(source))))
