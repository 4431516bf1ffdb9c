import type { Encryptor } from '#runtime'

/** @returns the URL for the database */
export function encryptChatUrl(encryptor: Pick<Encryptor, 'encrypt'>, channelId: string, url: string): Buffer {
  return encryptor.encrypt(url, contextOf(channelId))
}

/** @throws DecryptionError */
export function decryptChatUrl(
  encryptor: Pick<Encryptor, 'decrypt'>,
  channelId: string,
  encrypted: Buffer,
): Promise<string> {
  return encryptor.decrypt(encrypted, contextOf(channelId))
}

function contextOf(channelId: string): readonly string[] {
  return ['notice_channels', channelId, 'chat_url']
}
