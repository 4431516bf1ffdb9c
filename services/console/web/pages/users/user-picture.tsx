import { Avatar } from '@mantine/core'
import { useState } from 'react'

/**
 * The picture of a user, which this service sends; initials if there is none or it cannot be loaded. Screen readers skip it, because the
 * name follows.
 */
export function UserPicture({ picture, name }: { picture: string | null; name: string | null }) {
  const [failed, setFailed] = useState<string>()
  const isShown = picture !== null && picture !== failed
  return (
    <Avatar size={32} radius="xl" color="initials" aria-hidden {...(name !== null && { name })}>
      {isShown ? (
        <img
          src={picture}
          alt=""
          width={32}
          height={32}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(picture)}
        />
      ) : (
        findInitials(name)
      )}
    </Avatar>
  )
}

/** The first character of the first and the last part of a name; Japanese names have one part or a space. */
function findInitials(name: string | null): string | undefined {
  const parts = (name ?? '').trim().split(/\s+/)
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined].map((part) => Array.from(part ?? '')[0] ?? '')
  return letters.join('').toUpperCase() || undefined
}
