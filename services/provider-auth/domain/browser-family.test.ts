import { expect, test } from 'vitest'
import { findBrowserFamily } from './browser-family.ts'

const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)'
const chrome = 'Chrome/138.0.0.0 Safari/537.36'

test.each([
  ['chrome', `${windows} ${chrome}`],
  ['chrome', `${iphone} CriOS/138.0.7204.33 Mobile/15E148 Safari/604.1`],
  ['edge', `${windows} ${chrome} Edg/138.0.0.0`],
  ['edge', `${iphone} Version/18.0 EdgiOS/138.0.0.0 Mobile/15E148 Safari/605.1.15`],
  ['safari', `${iphone} Version/18.5 Mobile/15E148 Safari/604.1`],
  [
    'safari',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ],
  ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['firefox', `${iphone} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
  ['samsung', `${android} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
  ['line', `${iphone} Mobile/15E148 Safari Line/15.9.0`],
  ['line', `${android} Version/4.0 Chrome/138.0.0.0 Mobile Safari/537.36 Line/15.9.0/IAB`],
  ['yahoo_japan', `${iphone} Mobile/15E148 YJApp-IOS jp.co.yahoo.ipn.appli/4.130.0`],
  ['yahoo_japan', `${android} Version/4.0 ${chrome} YJApp-ANDROID jp.co.yahoo.android.yjtop/3.190.0`],
  ['other_app', `${iphone} Mobile/22F76 [FBAN/FBIOS;FBAV/520.0.0.42.110;FBBV/746212654]`],
  ['other_app', `${iphone} Mobile/15E148 Instagram 385.0.0.30.80 (iPhone15,2; iOS 18_5)`],
  ['other_app', `${android.replace('Pixel 9)', 'Pixel 9; wv)')} Version/4.0 ${chrome}`],
  ['other_app', `${iphone} Mobile/15E148`],
  ['other', `${windows} ${chrome} OPR/122.0.0.0`],
  ['other', 'curl/8.14.1'],
  ['other', ''],
])('%s: %s', (family, userAgent) => expect(findBrowserFamily(userAgent, '')).toBe(family))

test('Sec-CH-UA names the browser if User-Agent does not', () =>
  expect(findBrowserFamily('', '"Chromium";v="138", "Microsoft Edge";v="138", "Not)A;Brand";v="8"')).toBe('edge'))
