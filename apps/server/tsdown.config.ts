import { defineConfig } from "tsdown";

export default defineConfig({
	entry: { main: "src/main.ts", cli: "src/cli/main.ts" },
	format: "esm",
	platform: "node",
	target: "node20.19",
	dts: false,
	sourcemap: true,
	clean: true,
	// Small packages of this repository are bundled. Anything else that is bundled by accident is a build
	// error, not a copy in our dist.
	deps: { onlyBundle: ["better-auth-fast", "fair-load-shedder"] },
});
