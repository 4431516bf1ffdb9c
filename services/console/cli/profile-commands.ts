import type { Command } from 'commander'
import type { Io } from './io.ts'

/** Adds `login`, `logout` and `profiles`. */
export function addProfileCommands(program: Command, io: Io): void {
  const login = program
    .command('login')
    .description('Check a token with its console, and store both as a profile.')
    .addHelpText(
      'after',
      '\nPrompts for the token unless --token-file or SOCIAL_LOGIN_TOKEN is set; --token-file - reads standard input. --profile names the profile (default: default).',
    )
  login.action(async () => (await import('./log-in.ts')).logIn(login.optsWithGlobals(), io))
  const logout = program
    .command('logout')
    .description('Delete a stored profile: that of --profile, or the current one. The token stays valid.')
  logout.action(async () => (await import('./log-in.ts')).logOut(logout.optsWithGlobals(), io))
  const profiles = program.command('profiles').description('List the stored profiles, without their tokens.')
  profiles.action(async () => (await import('./log-in.ts')).listProfiles(profiles.optsWithGlobals(), io))
}
