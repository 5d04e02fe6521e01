import { readdirSync, readFileSync } from "node:fs";

const modules = new URL("../../../../../node_modules/", import.meta.url);

const FOLDERS = [
	"better-auth/dist/api/routes/",
	"better-auth/dist/plugins/",
	...["api-key", "oauth-provider", "passkey", "scim", "sso"].map(
		(it) => `@better-auth/${it}/dist/`,
	),
];

/** The installed endpoints of Better Auth: their paths, and the source up to the next one. */
export function endpointSources(): { path: string; source: string }[] {
	const files = FOLDERS.flatMap((folder) =>
		readdirSync(new URL(folder, modules), { recursive: true, encoding: "utf8" })
			.filter((name) => name.endsWith(".mjs"))
			.map((name) => readFileSync(new URL(folder + name, modules), "utf8")),
	);
	return files
		.flatMap((file) => file.split("createAuthEndpoint(").slice(1))
		.map((source) => ({ path: /^\s*["`]([^"`]+)/.exec(source)?.[1] ?? "", source }));
}
