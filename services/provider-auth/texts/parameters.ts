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
  terms: {
    explanation: { site: string | number }
    accept: { document: string | number }
    read: { document: string | number }
  }
  account: {
    explanation: { site: string | number }
    log_in: {
      explanation: { site: string | number }
    }
    accounts: {
      added: { date: string | number }
      remove: { provider: string | number }
    }
    remove: {
      heading: { provider: string | number }
    }
    sessions: {
      provider: { provider: string | number }
      started: { time: string | number }
      last_used: { time: string | number }
    }
    applications: {
      first: { date: string | number }
      last: { date: string | number }
      received: { data: string | number }
      site: { site: string | number }
      access_removed: { date: string | number }
      remove: { application: string | number }
    }
    remove_access: {
      heading: { application: string | number }
    }
    activity: {
      logged_in: { provider: string | number }
      linked: { provider: string | number }
      unlinked: { provider: string | number }
      sessions_ended: { count: number }
      access_removed: { application: string | number }
    }
    deletion: {
      pending: { date: string | number }
    }
    delete: {
      explanation: { days: number }
    }
  }
}
