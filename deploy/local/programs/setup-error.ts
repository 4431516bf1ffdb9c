/** An error that the developer can fix. Its message is complete and shown without a stack trace. */
export class SetupError extends Error {
  override readonly name = 'SetupError'
}
