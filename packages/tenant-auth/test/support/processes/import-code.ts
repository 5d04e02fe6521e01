import { mkdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Where the packages that it imports are found. What is generated has no types in it. */
const folder = fileURLToPath(
	new URL("../../../../../node_modules/.cache/generated-schemas/", import.meta.url),
);

/** What a generated module exports. */
export async function importCode(code: string): Promise<Record<string, unknown>> {
	await mkdir(folder, { recursive: true });
	const file = `${folder}${Date.now()}-${Math.random().toString(36).slice(2)}.mjs`;
	await writeFile(file, code);
	try {
		return { ...(await import(/* @vite-ignore */ pathToFileURL(file).href)) };
	} finally {
		await rm(file);
	}
}
