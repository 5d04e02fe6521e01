import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { CaptchaProvider } from "../settings/captcha";
import { CAPTCHA_SOURCES } from "./captcha-sources";

type Bytes = Uint8Array<ArrayBuffer>;

export type Asset = {
	type: string;
	content: Bytes;
	/** By its content coding. The build makes the Brotli files. */
	compressed: { br?: Bytes; gzip: Bytes };
};

export type BuiltPages = {
	console: string;
	tenant: string;
	/** For the administrators of a tenant. */
	admin: string;
	/** By file name. All of them are in memory, so no path of a request reaches the disk. */
	assets: Map<string, Asset>;
};

const types: Record<string, string> = {
	".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
};

/** Where the build of the workspace `apps/console` puts the pages. */
export const builtPagesDirectory = join(packageDirectory(), "pages");

/** @returns null if the pages are not built */
export function readBuiltPages(directory: string): BuiltPages | null {
	const page = (name: string) => readFileSync(join(directory, name), "utf8");
	if (!existsSync(join(directory, "tenant.html"))) return null;
	const assets = join(directory, "assets");
	return {
		console: page("console.html"),
		tenant: page("tenant.html"),
		admin: page("admin.html"),
		assets: new Map(
			readdirSync(assets)
				.filter((name) => !name.endsWith(BROTLI))
				.map((name) => [name, readAsset(join(assets, name))]),
		),
	};
}

const BROTLI = ".br";

function readAsset(path: string): Asset {
	const content = new Uint8Array(readFileSync(path));
	const brotli = `${path}${BROTLI}`;
	return {
		type: types[extname(path)] ?? "application/octet-stream",
		content,
		compressed: {
			...(existsSync(brotli) ? { br: new Uint8Array(readFileSync(brotli)) } : {}),
			gzip: new Uint8Array(gzipSync(content)),
		},
	};
}

/** The package directory is two levels above this source file, but one level above the bundle. */
function packageDirectory(): string {
	let directory = dirname(fileURLToPath(import.meta.url));
	while (!existsSync(join(directory, "package.json"))) directory = dirname(directory);
	return directory;
}

/**
 * A page may load scripts and styles only from its own origin, call only its own origin, and show
 * images, because a tenant's logo may be on another host. It contains nothing inline, and no other
 * page may frame it. A page with a captcha may also load what its provider needs.
 *
 * @param logoOrigin has the uploaded logos. Without https, a page on a tenant's own host has to name it.
 */
function contentSecurityPolicy(logoOrigin: string, captcha: CaptchaProvider | null): string {
	const policy: Record<string, string> = {
		"default-src": "'none'",
		"script-src": "'self'",
		"style-src": "'self'",
		"img-src": `'self' data: https:${logoOrigin.startsWith("http:") ? ` ${logoOrigin}` : ""}`,
		"connect-src": "'self'",
		"form-action": "'self'",
		"base-uri": "'none'",
		"frame-ancestors": "'none'",
	};
	for (const [directive, sources] of Object.entries(captcha ? CAPTCHA_SOURCES[captcha] : {})) {
		policy[directive] = [policy[directive] ?? [], sources].flat().join(" ");
	}
	return Object.entries(policy)
		.map((directive) => directive.join(" "))
		.join("; ");
}

const commonHeaders = {
	"x-content-type-options": "nosniff",
	"cross-origin-resource-policy": "same-origin",
};

export const pageHeaders = (logoOrigin: string, captcha: CaptchaProvider | null = null) => ({
	...commonHeaders,
	"content-type": "text/html; charset=utf-8",
	"content-security-policy": contentSecurityPolicy(logoOrigin, captcha),
	"cross-origin-opener-policy": "same-origin",
	"permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
	// The URL of a page may contain a token from an email.
	"referrer-policy": "no-referrer",
	// For browsers that do not know `frame-ancestors`.
	"x-frame-options": "DENY",
	// A cached page would request assets of an older build.
	"cache-control": "no-cache",
});

/** The name of an asset contains a hash of its content. */
export const assetHeaders = {
	...commonHeaders,
	"cache-control": "public, max-age=31536000, immutable",
};
