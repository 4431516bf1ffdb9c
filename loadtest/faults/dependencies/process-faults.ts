/**
 * Loaded into a process before its program. On SIGUSR2 the process reads the file of `PROCESS_FAULT_FILE`. Its clock jumps to
 * `ahead_ms` ahead of the machine's, while timers go on, as when an administrator sets a clock. Its event loop stalls for `stall_ms`.
 */
import { readFileSync } from 'node:fs'

const MachineDate = Date
let aheadMs = 0

process.on('SIGUSR2', () => {
  const { ahead_ms, stall_ms } = JSON.parse(readFileSync(process.env.PROCESS_FAULT_FILE ?? '', 'utf8'))
  aheadMs = ahead_ms
  if (stall_ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stall_ms)
})

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + aheadMs] : args, newTarget),
  get: (target, property, receiver) =>
    property === 'now' ? () => target.now() + aheadMs : Reflect.get(target, property, receiver),
})
