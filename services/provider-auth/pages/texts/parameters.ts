/** Generated from the English messages. */
export interface MessageParameters {
  go_to_site: { site: string | number }
  choice: {
    heading: { application: string | number }
    button: { provider: string | number }
  }
  confirmation: {
    heading: { provider: string | number }
    linked_account: { provider: string | number }
    go: { provider: string | number }
  }
  logout: {
    question: {
      heading_of_application: { application: string | number }
      provider: { provider: string | number }
    }
    ended: {
      provider: { provider: string | number }
    }
  }
  deletion: {
    done: { provider: string | number }
  }
}
