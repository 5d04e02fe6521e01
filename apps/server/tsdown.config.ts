import { defineConfig } from "tsdown";

export default defineConfig({
	entry: { main: "src/main.ts", cli: "src/cli/main.ts" },
	format: "esm",
	platform: "node",
	target: "node20.19",
	dts: false,
	sourcemap: true,
	clean: true,
	// A dependency that is bundled by accident is a build error, not a copy in our dist.
	deps: { onlyBundle: [] },
});
