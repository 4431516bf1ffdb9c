import { callDuration } from '#bus'

// Loaded by every test file of a hostile run: a stop and the busy processes would together exceed the deadline of production. Tests
// of outages have the deadlines that they give to their calls.

callDuration.ms = 20_000
