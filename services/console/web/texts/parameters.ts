/** Generated from the English messages. */
export interface MessageParameters {
  addresses: {
    none_blocked: { calls: number }
    some_blocked: { blocked: number; calls: number }
    unattributed: { calls: number }
    block_warning: { callers: number }
    open_warning: { block: string | number; family: string | number }
  }
  audit_streams: {
    headers_stored: { names: string | number }
    count: { count: number }
    status: { status: string | number }
    remove_title: { name: string | number }
    test_received: { milliseconds: number }
  }
  audit: {
    by: { actor: string | number; address: string | number; at: string | number }
    by_end_user: { actor: string | number; at: string | number }
  }
  bulk_changes: {
    count: { count: number }
    count_at_least: { count: number }
    selected: { count: number }
    progress: { done: number; found: number }
    show_failed: { count: number }
    first_failed: { count: number }
  }
  clients: {
    remove_several: { count: number }
    remove_several_title: { count: number }
    remove_title: { name: string | number }
    ends_redirect: { uris: string | number }
    ends_flow: { type: string | number }
    ends_pkce: { method: string | number }
    ends_alg: { alg: string | number }
  }
  common: {
    copy_what: { what: string | number }
    documentation_of: { field: string | number }
    line: { line: string | number; message: string | number }
    changed_to: { field: string | number; value: string | number }
    fields: {
      whole: { minimum: string | number; maximum: string | number }
      too_long: { maximum: string | number }
    }
    table: {
      filters: { count: number }
    }
  }
  definition: {
    remove_title: { name: string | number }
    claim_from: { field: string | number }
    claim_as: { field: string | number }
    claim_detail: { field: string | number }
    claim_remove: { field: string | number }
  }
  erasures: {
    waiting: { services: string | number }
  }
  exports: {
    columns_of: { first: string | number; count: number }
    progress: { written: number; total: number }
  }
  held_data: {
    subject: { identifier: string | number; site: string | number; time: string | number }
  }
  hosts: {
    point: { host: string | number }
    missing_about: { since: string | number }
    checked: { time: string | number }
    remove_title: { host: string | number }
  }
  imports: {
    sending: { file: string | number; lines: number; percent: number }
    continue_hint: { file: string | number }
    rejections_of: { file: string | number }
    more_rejections: { count: number }
    recognized: { format: string | number }
    provider_of: { name: string | number }
    omitted: { count: number }
    omitted_of: { name: string | number; count: number }
    without_account: { count: number }
    empty_rows: { count: number }
  }
  keys: {
    share: { share: number; calls: number }
    calls: { count: number }
    revoke_title: { name: string | number }
  }
  logins: {
    remove_cause: { cause: string | number }
    incomplete: { at: string | number }
    after: { duration: string | number }
    at_time: { at: string | number }
    took: { duration: string | number }
  }
  look: {
    changed_texts: { count: number }
    version: { version: number }
    published_by: { name: string | number }
  }
  me: {
    remove_passkey_warning: { name: string | number }
    at_provider: { provider: string | number }
  }
  member_sign_in: {
    rule_value: { number: string | number }
    rule_role: { number: string | number }
    rule_site: { number: string | number }
    remove_rule: { number: string | number }
    remove_domain_title: { domain: string | number }
    test_ok: { roles: string | number }
  }
  members: {
    change_title: { name: string | number }
    remove_title: { name: string | number }
    remove_site_role: { site: string | number }
    role_in_site: { role: string | number; site: string | number }
  }
  notices: {
    chat_formats: {
      text: { example: string | number }
      content: { example: string | number }
    }
    unconfirmed_advice: { address: string | number; when: string | number }
    errors: {
      rejected_email: { status: string | number }
      rejected_chat: { status: string | number }
    }
    remove_title: { name: string | number }
    confirm: {
      question: { account: string | number; address: string | number }
      about: { name: string | number }
      only_sites: { sites: string | number }
      done_about: { account: string | number; address: string | number }
    }
  }
  operators: {
    remove_title: { name: string | number }
  }
  overview: {
    expiring: { provider: string | number; when: string | number }
    expired: { provider: string | number; when: string | number }
    webhook_failing: { name: string | number; when: string | number }
    webhook_paused: { name: string | number }
    failing_logins: { count: number; cause: string | number }
    provider_down: { provider: string | number }
    steps_of_login: { started: string | number; returned: string | number; completed: string | number }
    day_before: { change: string | number; count: number }
    chart: { title: string | number; now: number; then: number }
  }
  providers: {
    test_failed_advice: { error: string | number }
    ends_provider: { provider: string | number }
    ends_client_id: { provider: string | number }
  }
  settings: {
    move_up: { provider: string | number }
    move_down: { provider: string | number }
    storage_delete: { provider: string | number; items: string | number }
    not_stored: { provider: string | number }
    deletion_progress: { users: number }
    user_search_progress: { users: number; total: number }
    metadata_search_progress: { users: number }
    inactive_count: { users: number }
    inactive_count_at_least: { users: number }
    stored: { count: string | number; all: string | number }
    schema_problems: {
      not_json: { line: string | number }
      not_an_object: { line: string | number }
      rounded_number: { line: string | number }
    }
  }
  shell: {
    all_sites: { account: string | number }
  }
  sign_in: {
    at_provider: { provider: string | number }
    welcome: { name: string | number }
    invited: { account: string | number; role: string | number }
    join_as: { name: string | number }
    invited_to_site: { site: string | number; account: string | number; role: string | number }
  }
  site_deletion: {
    contents: { users: number; clients: number; keys: number }
    pending_text: { by: string | number; until: string | number }
    given_reason: { reason: string | number }
    approve_title: { site: string | number }
    deleting_text: { rows: number }
    deleted_text: { by: string | number; approved_by: string | number; at: string | number }
  }
  site_move: {
    waits: { error: string | number }
    by: { name: string | number; at: string | number }
    commit_title: { site: string | number }
  }
  sites: {
    of: { account: string | number }
  }
  terms: {
    edit_title: { title: string | number }
    remove_title: { title: string | number }
    move_up: { title: string | number }
    move_down: { title: string | number }
    version: { version: number }
    asked_until: { version: number }
    new_version_title: { version: number; title: string | number }
    publish: { version: number }
    remove_language: { language: string | number }
  }
  tokens: {
    revoke_several: { count: number }
    revoke_several_title: { count: number }
    revoke_title: { name: string | number }
  }
  usage: {
    limit: { busiest: number; limit: number }
  }
  users: {
    named: { name: string | number }
    search_off: { fields: string | number }
    found_count: { count: number }
    found_more: { count: number }
    matched_by: { field: string | number; providers: string | number }
    count: { count: number }
    metadata_problems: {
      not_json: { line: string | number }
      not_an_object: { line: string | number }
      rounded_number: { line: string | number }
    }
    unlink_title: { provider: string | number }
    delete_users: { count: number }
    delete_users_title: { count: number }
    block_users: { count: number }
    block_users_title: { count: number }
    unblock_users: { count: number }
    block_notice_until: { time: string | number }
    block_notice_by: { name: string | number; time: string | number }
    deletion_when: { requested: string | number; time: string | number }
    inactivity_when: { announced: string | number; time: string | number }
  }
  webhooks: {
    remove_title: { name: string | number }
    http: { status: string | number }
    duration: { milliseconds: number }
    attempts: { count: number }
  }
}
