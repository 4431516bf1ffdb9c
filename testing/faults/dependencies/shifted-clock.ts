/**
 * Loaded into a process before its program. On SIGUSR2 the clock of the process jumps to where the file of `CLOCK_FILE` says:
 * milliseconds ahead of the machine's clock. Timers are not concerned, as when an administrator sets a clock.
 */
import { readFileSync } from 'node:fs'

const MachineDate = Date
let aheadMs = 0

process.on('SIGUSR2', () => {
  aheadMs = Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8'))
})

globalThis.Date = new Proxy(MachineDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + aheadMs] : args, newTarget),
  get: (target, property, receiver) =>
    property === 'now' ? () => target.now() + aheadMs : Reflect.get(target, property, receiver),
})
