import { defineConfig } from "tsdown";

export default defineConfig({
	entry: [
		"src/index.ts",
		"src/client.ts",
		"src/conformance/index.ts",
		"src/domains/index.ts",
		"src/password-hashes.ts",
		"src/providers.ts",
		"src/rules.ts",
		"src/testing/index.ts",
		"src/upgrade/index.ts",
		"src/invitations/index.ts",
		"src/openid/index.ts",
		"src/imports/index.ts",
		"src/sign-ins/index.ts",
		"src/webhooks/index.ts",
		"src/command.ts",
	],
	format: "esm",
	platform: "neutral",
	fixedExtension: true,
	target: "es2022",
	dts: true,
	sourcemap: false,
	clean: true,
	// A dependency that is bundled by accident is a build error, not a copy in our dist. Only the
	// command and the password hashes use Node's modules.
	deps: { onlyBundle: [], neverBundle: [/^node:/] },
});
