// What a browser downloads before the sign-in page of a tenant shows its form: the script of the page and
// everything that it imports. Run it after the build.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** In KB (1000 bytes) with gzip. If your change lowers the size, lower the limit in the same commit. */
const SIGN_IN = { limit: 137, goal: 60 };

const pages = fileURLToPath(new URL("../apps/server/pages", import.meta.url));
const page = join(pages, "tenant.html");
if (!existsSync(page)) throw new Error("The pages are not built. Run `npm run build`.");

/** @param {string} name */
const read = (name) => readFileSync(join(pages, "assets", name), "utf8");

/** Files that the browser loads at once. `import("./de.js")` is not one of them. */
function filesOf(/** @type {string} */ html) {
	const names = [...html.matchAll(/(?:src|href)="\/assets\/([\w.-]+\.js)"/g)].map(
		([, name]) => name,
	);
	const found = new Set(names);
	for (const name of found) {
		for (const [, imported] of read(name ?? "").matchAll(
			/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g,
		)) {
			found.add(imported);
		}
	}
	return [...found].map(String);
}

const sizes = filesOf(readFileSync(page, "utf8")).map((name) => ({
	name,
	gzip: gzipSync(read(name), { level: 9 }).length / 1000,
	brotli: brotliCompressSync(read(name)).length / 1000,
}));
/** @param {"gzip" | "brotli"} coding */
const total = (coding) => sizes.reduce((sum, size) => sum + size[coding], 0);

const size = total("gzip");
console.log(
	`The sign-in page loads ${size.toFixed(1)} KB of script with gzip, ${total("brotli").toFixed(1)} KB with Brotli.`,
);
console.log(`The limit is ${SIGN_IN.limit} KB, the goal is ${SIGN_IN.goal} KB, with gzip.`);
for (const { name, gzip } of sizes) console.log(`  ${gzip.toFixed(1).padStart(6)}  ${name}`);
if (size > SIGN_IN.limit) {
	console.error("That is more than the limit in scripts/page-size.mjs.");
	process.exitCode = 1;
}
