import { defineConfig } from "tsdown";

export default defineConfig({
	// The folder of a layer is not a part of the name.
	entry: {
		index: "src/index.ts",
		client: "src/client.ts",
		"chooser/index": "src/features/chooser/index.ts",
		"conformance/index": "src/conformance/index.ts",
		"domains/index": "src/features/domains/index.ts",
		"password-hashes": "src/password-hashes.ts",
		providers: "src/providers.ts",
		rules: "src/rules.ts",
		"testing/index": "src/testing/index.ts",
		"upgrade/index": "src/upgrade/index.ts",
		"invitations/index": "src/features/invitations/index.ts",
		"links/index": "src/features/links/index.ts",
		"openid/index": "src/features/openid/index.ts",
		"imports/index": "src/features/imports/index.ts",
		"sign-ins/index": "src/features/sign-ins/index.ts",
		"webhooks/index": "src/features/webhooks/index.ts",
		command: "src/command.ts",
	},
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
