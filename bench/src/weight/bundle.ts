import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { BUILT, pathOf } from "./paths";

const COMMON = { bundle: true, platform: "node", format: "esm", logLevel: "error" } as const;

/** The bytes of an app as one file, and how many of them are the plugin's. */
export async function bundle(app: string): Promise<{ gzip: number; own: number }> {
	const { outputFiles, metafile } = await build({
		entryPoints: [app],
		...COMMON,
		minify: true,
		write: false,
		metafile: true,
		// Not the paths of this repository, which lead to the sources.
		tsconfigRaw: {},
	});
	const [output] = Object.values(metafile.outputs);
	const own = Object.entries(output?.inputs ?? {}).filter(([file]) =>
		resolve(file).startsWith(BUILT),
	);
	return {
		gzip: gzipSync(outputFiles[0]?.contents ?? "").length,
		own: own.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0),
	};
}

/** Makes one readable file of a file and the sources of the plugin. Packages stay outside. */
export async function bundleSources(file: string, outfile: string): Promise<void> {
	const tsconfig = pathOf("../../tsconfig.json");
	await build({ entryPoints: [file], outfile, tsconfig, packages: "external", ...COMMON });
}
