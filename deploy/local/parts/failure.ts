/** Something that the person at the keyboard can put right: the message is the whole story in a sentence or two, shown without a stack. */
export class LocalFailure extends Error {
  override readonly name = 'LocalFailure'
}
