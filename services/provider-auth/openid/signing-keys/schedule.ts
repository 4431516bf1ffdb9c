import { limits } from '#contracts'

/** How soon every replica learns of a published or withdrawn key. Our choice. */
export const reloadIntervalSeconds = 30

/** How long clients may cache the published keys. Our choice. */
export const jwksMaxAgeSeconds = 300

/** Tolerance for clocks and request durations. Our choice. */
const leewaySeconds = 30

/** How long a new key is published before it signs: by then every client that caches keys has loaded it. */
export const activationDelaySeconds = reloadIntervalSeconds + jwksMaxAgeSeconds + leewaySeconds

/**
 * How long a key stays published after the next one has started signing: by then the last token it signed has expired.
 */
export const withdrawalDelaySeconds = reloadIntervalSeconds + limits.id_token_seconds + leewaySeconds
