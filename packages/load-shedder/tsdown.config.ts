import { defineConfig } from "tsdown";

export default defineConfig({
	entry: ["src/index.ts"],
	format: "esm",
	platform: "neutral",
	fixedExtension: true,
	target: "es2022",
	dts: true,
	sourcemap: false,
	clean: true,
	deps: { onlyBundle: [] },
});
