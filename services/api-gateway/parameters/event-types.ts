import { z } from 'zod'
import { EventType } from '#contracts'

/** Types of events, separated by commas. */
export const EventTypes = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(EventType).min(1))
