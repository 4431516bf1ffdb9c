import type { Msg } from '@nats-io/transport-node'
import { type Answer, fullMessageLength } from './messages.ts'

/** The answers of a server that are ready. */
export interface Answers {
  /** Sends an answer, together with the others of this turn of the event loop to the same message. */
  readonly add: (message: Msg, answer: Answer) => void
  /** Sends the answers now. */
  readonly send: () => void
}

interface AnswerMessage {
  readonly answers: string[]
  length: number
}

/** @param onError called if answers could not be sent */
export function createAnswers(onError: (error: unknown) => void): Answers {
  const gathering = new Map<Msg, AnswerMessage>()

  const publish = (message: Msg, { answers }: AnswerMessage) => {
    try {
      message.respond(`[${answers.join()}]`)
    } catch (error) {
      onError(error)
    }
  }
  const send = () => {
    for (const [message, answers] of gathering) publish(message, answers)
    gathering.clear()
  }
  return {
    add(message, answer) {
      if (gathering.size === 0) setImmediate(send)
      const answers = gathering.get(message) ?? { answers: [], length: 0 }
      gathering.set(message, answers)
      const text = JSON.stringify(answer)
      answers.answers.push(text)
      answers.length += text.length
      if (answers.length < fullMessageLength) return
      gathering.delete(message)
      publish(message, answers)
    },
    send,
  }
}
