import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const entry = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Two pages: the operator's console, and the sign-in pages of a tenant. */
export default defineConfig({
	plugins: [react()],
	build: {
		rolldownOptions: { input: [entry("console.html"), entry("tenant.html")] },
		// The policy of the pages allows no `data:` script or style, and hashed files cache better.
		assetsInlineLimit: 0,
		// Its only use is for browsers that are older than what the build is for.
		modulePreload: { polyfill: false },
	},
});
