import type { ForeignPlugin } from "./foreign-plugin";

export const apiKey: ForeignPlugin = {
	id: "api-key",
	impersonationPaths: ["/api-key/get", "/api-key/list"],
	tokenFields: { apikey: ["key"] },
	credentials: { apikey: "referenceId" },
	isTokenKey: (key) => /^api-key:(?!by-id:|by-ref:)/.test(key),
	makesSessions: true,
};
