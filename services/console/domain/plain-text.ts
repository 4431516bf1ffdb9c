const replacements: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '@': '＠' }

/** Replaces what chats read as links and mentions, such as `<!channel>` and `@everyone`, with characters that look alike. */
export function toPlainText(text: string): string {
  return text.replaceAll(/[<>@]/g, (character) => replacements[character] ?? '')
}
