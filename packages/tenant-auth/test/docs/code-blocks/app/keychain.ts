export const keychain = new Map<string, string>();
