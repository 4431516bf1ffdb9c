import type { catalogue as en } from '../en/signed-out.ts'
import common from './common.json'
import faults from './faults.json'
import { confirm, kind_names } from './notices.json'
import { language, theme, themes } from './shell.json'
import sign_in from './sign-in.json'

export const catalogue: typeof en = {
  common,
  faults,
  notices: { confirm, kind_names },
  shell: { language, theme, themes },
  sign_in,
}
