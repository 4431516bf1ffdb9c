import { limits } from '#contracts'

/** How soon every replica knows a key that was published or withdrawn. Our choice. */
export const reload_every_seconds = 30

/** How long others may keep the published keys. Our choice. */
export const keys_max_age_seconds = 300

/** Clocks and requests take their time. Our choice. */
const leeway_seconds = 30

/** A new key is published so long before it signs: by then whoever keeps keys has it. */
export const publish_ahead_seconds = reload_every_seconds + keys_max_age_seconds + leeway_seconds

/** A key is published so long after the next one signs: by then the last token it signed has expired. */
export const publish_after_seconds = reload_every_seconds + limits.id_token_seconds + leeway_seconds
