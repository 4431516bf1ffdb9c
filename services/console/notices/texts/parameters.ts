/** Generated from the English messages. */
export interface MessageParameters {
  kinds: {
    client_secret_expiring: {
      title: { days: number; provider: string | number }
      advice: { days: number; expires_at: string | number; provider: string | number }
    }
    webhook_failing: {
      title: { state: string; name: string | number }
      advice: { state: string; since_at: string | number }
    }
    provider_failing: {
      title: { provider: string | number }
      advice: { provider: string | number; since_at: string | number }
    }
    api_key_unused: {
      title: { name: string | number; days: string | number }
    }
    api_key_new_network: {
      title: { name: string | number; network: string | number }
    }
    limit_near: {
      title: { percent: string | number }
      advice: { calls: string | number; limit: string | number }
    }
    member_added: {
      title: { role: string }
    }
    export_ready: {
      advice: { until_at: string | number }
    }
    site_deletion_requested: {
      advice: { until_at: string | number }
    }
  }
  about: { place: string | number; title: string | number }
  several: { count: number; account: string | number }
  test: {
    advice: { account: string | number }
  }
  confirmation: {
    subject: { account: string | number }
    text: { account: string | number; until_at: string | number }
  }
  footer: { channel: string | number; account: string | number }
}
