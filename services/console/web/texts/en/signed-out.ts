import common from './common.json'
import faults from './faults.json'
import { confirm, kind_names } from './notices.json'
import { language, theme, themes } from './shell.json'
import sign_in from './sign-in.json'

/** The messages of the pages before sign-in. */
export const catalogue = {
  common,
  faults,
  notices: { confirm, kind_names },
  shell: { language, theme, themes },
  sign_in,
}
