import { styleText } from 'node:util'

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 80
/** Interval of progress lines in a log. */
const reminderMs = 5_000

/** Reports what a step is doing or its result. The last text remains next to the finished step. */
export type Note = (text: string) => void

export type Step = <T>(title: string, work: (note: Note) => Promise<T>) => Promise<T>

/**
 * Shows a step while it runs and one line when it is finished: with a spinner on a terminal, without one in a log.
 * Rethrows errors of the work. Starts no step after the signal has aborted.
 */
export function createStep(signal: AbortSignal): Step {
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
      const result = await work((newText) => {
        text = newText
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
