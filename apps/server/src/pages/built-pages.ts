import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

type Asset = {
	type: string;
	content: Uint8Array<ArrayBuffer>;
	gzipped: Uint8Array<ArrayBuffer>;
};

export type BuiltPages = {
	console: string;
	tenant: string;
	/** By file name. They are few and small, and no path of a request reaches the disk. */
	assets: Map<string, Asset>;
};

const types: Record<string, string> = {
	".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
};

/** What the workspace `apps/console` was built to, beside this one. */
export const builtPagesDirectory = join(packageDirectory(), "../console/dist");

/** @returns null where the pages are not built */
export function readBuiltPages(directory: string): BuiltPages | null {
	const page = (name: string) => readFileSync(join(directory, name), "utf8");
	if (!existsSync(join(directory, "tenant.html"))) return null;
	const assets = join(directory, "assets");
	return {
		console: page("console.html"),
		tenant: page("tenant.html"),
		assets: new Map(readdirSync(assets).map((name) => [name, readAsset(join(assets, name))])),
	};
}

function readAsset(path: string): Asset {
	const content = new Uint8Array(readFileSync(path));
	return {
		type: types[extname(path)] ?? "application/octet-stream",
		content,
		gzipped: new Uint8Array(gzipSync(content)),
	};
}

/** This file is two folders below it as a source, and one in a bundle. */
function packageDirectory(): string {
	let directory = dirname(fileURLToPath(import.meta.url));
	while (!existsSync(join(directory, "package.json"))) directory = dirname(directory);
	return directory;
}
