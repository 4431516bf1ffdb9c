import { styleText } from 'node:util'

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 80
/** In a log a long step says this often that it goes on. */
const reminderMs = 5_000

/** Says in a few words what is being done, or what came of it; the last one stands beside the finished step. */
export type Note = (text: string) => void

export type Step = <T>(title: string, work: (note: Note) => Promise<T>) => Promise<T>

/**
 * Shows a step while it is being done, and one line when it is done: with a moving sign at a terminal, plain in a log.
 * What the work throws is thrown on, and no step begins after the signal.
 */
export function stepsUntil(signal: AbortSignal): Step {
  return async (title, work) => {
    signal.throwIfAborted()
    const beganAt = performance.now()
    let text = ''
    const show = process.stdout.isTTY ? spin(() => line(title, text)) : remind(() => line(title, text))
    const finish = (mark: string) => {
      show.end()
      const seconds = ((performance.now() - beganAt) / 1_000).toFixed(1)
      process.stdout.write(`${mark} ${line(title, text)} ${styleText('dim', `${seconds} s`)}\n`)
    }
    try {
      const result = await work((said) => {
        text = said
      })
      finish(styleText('green', '✓'))
      return result
    } catch (error) {
      finish(signal.aborted ? '–' : styleText('red', '✗'))
      throw error
    }
  }
}

function line(title: string, text: string): string {
  return `${title.padEnd(14)} ${text}`
}

function spin(current: () => string): { end: () => void } {
  let count = 0
  const draw = () => {
    const shown = `${frames[count++ % frames.length]} ${current()}`.slice(0, (process.stdout.columns || 80) - 1)
    process.stdout.write(`\r\x1b[K${shown}`)
  }
  draw()
  const timer = setInterval(draw, frameMs)
  return {
    end() {
      clearInterval(timer)
      process.stdout.write('\r\x1b[K')
    },
  }
}

function remind(current: () => string): { end: () => void } {
  const timer = setInterval(() => process.stdout.write(`… ${current()}\n`), reminderMs)
  return { end: () => clearInterval(timer) }
}
