import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const entry = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** For `npm run dev`: the pages have the URLs that the server gives them. */
const pageUrls: Plugin = {
	name: "page-urls",
	apply: "serve",
	configureServer({ middlewares }) {
		middlewares.use((request, _response, next) => {
			const path = request.url ?? "";
			if (/^\/console(?=[/?]|$)/.test(path)) request.url = "/console.html";
			if (/^\/t\/./.test(path)) request.url = "/tenant.html";
			next();
		});
	},
	transformIndexHtml(html, { originalUrl = "" }) {
		const [base = "", slug = ""] = /^\/t\/([^/?]+)/.exec(originalUrl) ?? [];
		return html.replace("{{tenant-slug}}", slug).replace("{{tenant-base}}", base);
	},
};

const server = `http://127.0.0.1:${process.env.PORT ?? 3000}`;

/** Two pages: the operator's console, and the sign-in pages of a tenant. */
export default defineConfig({
	plugins: [react(), pageUrls],
	server: {
		port: 5173,
		strictPort: true,
		proxy: { "/api": server, "/service": server },
	},
	build: {
		rolldownOptions: { input: [entry("console.html"), entry("tenant.html")] },
		// The policy of the pages allows no `data:` script or style, and hashed files cache better.
		assetsInlineLimit: 0,
		// Its only use is for browsers that are older than what the build is for.
		modulePreload: { polyfill: false },
	},
});
