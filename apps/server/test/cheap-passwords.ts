/** A hash takes no time. Only tests of real hashes need the real ones. */
export const cheapPasswords = {
	hash: async (password: string) => `hash of ${password}`,
	verify: async (data: { hash: string; password: string }) =>
		data.hash === `hash of ${data.password}`,
};
