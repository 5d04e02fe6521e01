import { execFileSync } from "node:child_process";
import { bundle, bundleSources } from "./bundle";
import type limits from "./limits.json";
import { PLAIN_APP, pathOf, TENANT_APP } from "./paths";
import { countLines, filesOfCore } from "./source-files";
import { countInstantiations } from "./types";
import { findWrappers } from "./wrappers";

type Figures = [row: keyof typeof limits, figure: number][];

export const measure = async (): Promise<Figures> => [
	...ofSources(),
	...ofInstances(),
	...(await ofBundles()),
	["type instantiations, times plain", ofTypes()],
	...(await ofCalls()),
];

function ofSources(): Figures {
	const files = filesOfCore();
	const wrappers = findWrappers(files);
	const ofSessions = wrappers.filter(({ methods }) => methods.includes("createSession"));
	return [
		["lines of source", countLines(files)],
		["wrappers of internalAdapter", wrappers.length],
		["files that replace createSession", new Set(ofSessions.map(({ file }) => file)).size],
	];
}

async function ofBundles(): Promise<Figures> {
	const [plain, tenant] = [await bundle(PLAIN_APP), await bundle(TENANT_APP)];
	const kilobytes = (bytes: number) => Math.round(bytes / 1000);
	return [
		["KB more in a bundled server, gzip", kilobytes(tenant.gzip - plain.gzip)],
		["KB of it our code, before gzip", kilobytes(tenant.own)],
	];
}

const ofTypes = () =>
	Math.round((countInstantiations(TENANT_APP) / countInstantiations(PLAIN_APP)) * 100) / 100;

/** Each instance is the first one of a process. */
function ofInstances(): Figures {
	const measureOne = (app: string) => JSON.parse(run(pathOf("first-start.mjs"), app));
	const starts = Array.from({ length: 5 }, () => [measureOne("plain"), measureOne("tenant")]);
	// Other work of the machine only adds to the time.
	const [plain, tenant] = [0, 1].map((app) =>
		starts.map((start) => start[app]).reduce((min, it) => (it.cpu < min.cpu ? it : min)),
	);
	return [
		["own tables", tenant.tables - plain.tables],
		["own methods of auth.api", tenant.methods - plain.methods],
		["ms more CPU for the first start", Math.round(tenant.cpu - plain.cpu)],
	];
}

async function ofCalls(): Promise<Figures> {
	const file = pathOf("../../../node_modules/.cache/weight/files-of-calls.mjs");
	await bundleSources(pathOf("files-of-calls.ts"), file);
	const counts: Record<string, number> = JSON.parse(run(file));
	return Object.entries(counts).map(([call, count]) => [`files in a ${call}`, count] as Figures[0]);
}

/** Runs a file in a process of its own. */
const run = (file: string, ...args: string[]) =>
	execFileSync(process.execPath, [file, ...args], { encoding: "utf8" });
