import { limits } from '#contracts'

/** How soon every replica knows a key that was published or withdrawn. Our choice. */
export const reloadIntervalSeconds = 30

/** How long others may keep the published keys. Our choice. */
export const jwksMaxAgeSeconds = 300

/** Clocks and requests take their time. Our choice. */
const leewaySeconds = 30

/** A new key is published so long before it signs: by then whoever keeps keys has it. */
export const activationDelaySeconds = reloadIntervalSeconds + jwksMaxAgeSeconds + leewaySeconds

/** A key is published so long after the next one signs: by then the last token it signed has expired. */
export const withdrawalDelaySeconds = reloadIntervalSeconds + limits.id_token_seconds + leewaySeconds
