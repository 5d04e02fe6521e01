import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const entry = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const service = `http://localhost:${process.env.PORT ?? 3000}`;
const proxy = {
	target: service,
	changeOrigin: true,
	// The service rejects requests from other origins.
	headers: { origin: service },
};

/** The service has the true values. */
const devServiceInfo = {
	baseUrl: service,
	tenantDomain: null,
	mail: "outbox",
	apiScopes: ["api"],
	policy: {
		methods: ["password", "social", "magic-link", "passkey"],
		minPasswordLength: 8,
		maxPasswordLength: 128,
		sessionLifetime: 7 * 24 * 60 * 60,
		secondFactor: true,
	},
};

const escapeAttribute = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** `npm run dev` serves the pages at the same paths as the service does. */
const pagePaths: Plugin = {
	name: "page-paths",
	apply: "serve",
	configureServer: ({ middlewares }) => {
		middlewares.use((request, _response, next) => {
			if (/^\/console(?=[/?]|$)/.test(request.url ?? "")) request.url = "/console.html";
			if (/^\/t\/[^/?]+\/admin(?=[/?]|$)/.test(request.url ?? "")) request.url = "/admin.html";
			if (/^\/t\//.test(request.url ?? "")) request.url = "/tenant.html";
			next();
		});
	},
	transformIndexHtml: (html, { originalUrl = "" }) => {
		const [base = "", slug = ""] = /^\/t\/([a-z\d-]+)/.exec(originalUrl) ?? [];
		const { searchParams } = new URL(originalUrl, service);
		// Without the check of the service.
		const target = encodeURI(searchParams.get("callbackURL") ?? "");
		return html
			.replace("{{tenant-slug}}", slug)
			.replace("{{tenant-base}}", base)
			.replace("{{callback-url}}", target)
			.replace("{{suspended-tenant}}", "")
			.replace("{{admin-pages}}", "yes")
			.replace("{{email-codes}}", "")
			.replace("{{captcha}}", "")
			.replace("{{service-info}}", escapeAttribute(JSON.stringify(devServiceInfo)));
	},
};

/**
 * Two apps: the pages for users of a tenant, and the console for operators and for administrators of a
 * tenant. Each is a build of its own. In one build, a sign-in page would load what only the console uses of
 * a module that both import.
 */
const apps: Record<string, string[]> = {
	console: ["console.html", "admin.html"],
	tenant: ["tenant.html"],
};

/** The service sends these files as they are: the best compression takes seconds, so it is not made at a start. */
const brotliFiles: Plugin = {
	name: "brotli-files",
	apply: "build",
	writeBundle: ({ dir = "" }, bundle) => {
		for (const name of Object.keys(bundle).filter((name) => name.startsWith("assets/"))) {
			const path = join(dir, name);
			writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
		}
	},
};

export default defineConfig(({ mode }) => ({
	plugins: [react(), pagePaths, brotliFiles],
	server: { port: 5173, strictPort: true, proxy: { "/api": proxy, "/service": proxy } },
	build: {
		// Part of the server's package, because the server serves them.
		outDir: "../server/pages",
		// The builds share the folder, and the one of the console is the first.
		emptyOutDir: mode === "console",
		rolldownOptions: { input: (apps[mode] ?? Object.values(apps).flat()).map(entry) },
		// The pages of the console are one chunk: whoever opens one opens others.
		chunkSizeWarningLimit: 750,
		// The content security policy forbids `data:` scripts and styles, and hashed files cache better.
		assetsInlineLimit: 0,
		// Only browsers older than the build target need it.
		modulePreload: { polyfill: false },
	},
}));
