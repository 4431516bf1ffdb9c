import type { BrowserFamily } from '#contracts'

/**
 * The families by what User-Agent or Sec-CH-UA contains; the first that matches counts, because browsers name those that they
 * resemble. Apps are first: their web views name the browser of the system.
 */
const patterns: readonly (readonly [BrowserFamily, RegExp])[] = [
  ['line', /\bLine\/\d/],
  ['yahoo_japan', /\bYJApp|\bjp\.co\.yahoo\./],
  [
    'other_app',
    /\bFB(AN|AV|IOS)\b|\bFB_IAB\b|\bInstagram\b|\bTwitter\b|\bBytedance|\bmusical_ly\b|\bMicroMessenger\b|\bKAKAOTALK\b|\(inapp;|\bSnapchat\b|\bPinterest\/|\bGSA\/|; wv\)/,
  ],
  ['samsung', /\bSamsungBrowser\/|"Samsung Internet"/],
  ['edge', /\bEdg(e|A|iOS)?\/| Edge"/],
  ['firefox', /\b(Firefox|FxiOS)\//],
  ['other', /\b(OPR|OPT|OPiOS|Opera|Vivaldi|YaBrowser|UCBrowser|DuckDuckGo|Whale)\b/],
  ['chrome', /\b(Chrome|CriOS|Chromium)\/|"Google Chrome"/],
  ['safari', /\bVersion\/\S+ .*\bSafari\//],
  // A web view of iOS does not name Safari.
  ['other_app', /\((iPhone|iPad|iPod).*\bAppleWebKit\/(?!.*\bSafari\/)/],
]

/** Finds the family of a browser by its `User-Agent` and `Sec-CH-UA` fields; empty if it did not send them. */
export function findBrowserFamily(userAgent: string, secChUa: string): BrowserFamily {
  const sent = `${userAgent} ${secChUa}`
  return patterns.find(([, pattern]) => pattern.test(sent))?.[0] ?? 'other'
}
