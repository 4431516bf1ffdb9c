/** Pages with at most so many users before or after them are read from that end, without counts. Our choice. */
export const usersNearEnd = 500
