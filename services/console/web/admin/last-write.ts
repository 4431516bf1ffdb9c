/** When this browser changed something last, on the clock of `performance.now()`. Loading the page counts as a change. */
let lastWriteAt = 0
const channel = new BroadcastChannel('writes')
channel.onmessage = () => {
  lastWriteAt = performance.now()
}

/** Called after each change, whatever its outcome, so that later responses contain it. Other tabs learn of it. */
export function noticeWrite(): void {
  lastWriteAt = performance.now()
  channel.postMessage(null)
}

/** How old a response may be that contains all changes of this browser. */
export function secondsSinceWrite(): number {
  return Math.floor((performance.now() - lastWriteAt) / 1_000)
}
