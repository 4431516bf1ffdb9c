/** How much of a text decides about its format. Our choice. */
const headCharacters = 65_536

/** The beginning of a text, and all of it. */
export interface OpenedText {
  readonly head: string
  /** Whether the head is the whole text. */
  readonly isWhole: boolean
  readonly text: AsyncIterable<string>
}

export async function openText(parts: AsyncGenerator<string>): Promise<OpenedText> {
  let head = ''
  let isWhole = false
  while (head.length < headCharacters && !isWhole) {
    const { value, done } = await parts.next()
    if (done) isWhole = true
    else head += value
  }
  return { head, isWhole, text: withHead(head, parts) }
}

async function* withHead(head: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield head
  yield* rest
}
