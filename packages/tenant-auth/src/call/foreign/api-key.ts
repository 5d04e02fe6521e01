import type { ForeignPlugin } from "./foreign-plugin";

export const apiKey = {
	id: "api-key",
	impersonationPaths: ["/api-key/get", "/api-key/list"],
	tokenFields: { apikey: ["key"] },
	credentials: { apikey: "referenceId" },
	storedTokens: {
		table: "apikey",
		isTokenKey: (key) => /^api-key:(?!by-id:|by-ref:)/.test(key),
		keysOf: ({ id, key }) => [`api-key:${key}`, `api-key:by-id:${id}`],
		listKeyOf: (ownerId) => `api-key:by-ref:${ownerId}`,
	},
	makesSessions: true,
} satisfies ForeignPlugin;
