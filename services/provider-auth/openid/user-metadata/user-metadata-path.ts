/** The path of the endpoint of `user_metadata`. */
export const userMetadataPath = '/oauth2/user-metadata'
