import { defineConfig } from "tsdown";

export default defineConfig({
	entry: ["src/main.ts"],
	format: "esm",
	platform: "node",
	fixedExtension: true,
	target: "node20.19",
	dts: false,
	sourcemap: false,
	clean: true,
	// A dependency that is bundled by accident is a build error, not a copy in our dist.
	deps: { onlyBundle: [] },
});
