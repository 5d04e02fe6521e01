import type { BetterAuthOptions } from "better-auth";

/** E-mail and password with a hash that costs nothing, for suites about something else. */
export const cheapPasswords = {
	enabled: true,
	password: {
		hash: async (password) => `hash of ${password}`,
		verify: async ({ hash, password }) => hash === `hash of ${password}`,
	},
} satisfies BetterAuthOptions["emailAndPassword"];
