import { createRequire } from "node:module";
import { Agent, buildConnector, fetch as fetchOnLoopback } from "undici";
import { build, type Rolldown } from "vite";
import type { RedirectedHost } from "./redirected-hosts";

/** What is used of miniflare. It has types of its own, but is not a dependency. */
interface Miniflare {
	ready: Promise<URL>;
}
interface MiniflareModule {
	Miniflare: new (options: object) => Miniflare;
	Response: new (body: unknown, init: object) => object;
}

/** What the test asks for. */
export interface WorkerOptions {
	/** Compatibility flags. */
	flags: string[];
	/** The export conditions with which the worker is bundled. */
	conditions: string[];
}

/** Starts the app in workerd, with D1 databases in memory. */
const hosts: RedirectedHost[] = JSON.parse(process.env.REDIRECTED_HOSTS ?? "[]");
const miniflare: MiniflareModule = createRequire(import.meta.url)(
	String(process.env.MINIFLARE_PATH),
);
const { flags, conditions }: WorkerOptions = JSON.parse(String(process.env.WORKER_OPTIONS));
const { code, packageUrls } = await bundle(conditions);
const worker = new miniflare.Miniflare({
	modules: [{ type: "ESModule", path: "worker.mjs", contents: code }],
	compatibilityDate: "2026-04-01",
	compatibilityFlags: flags,
	d1Databases: ["OPEN", "GUARDED", "FAST"],
	host: "127.0.0.1",
	port: 0,
	outboundService: leave,
});
const { origin } = await worker.ready;
for (const url of packageUrls) console.log(`package ${url}`);
console.log(`listening ${origin}`);

/** As a bundler for Workers does it: everything in one module, except what the runtime has. */
async function bundle(conditions: string[]) {
	const built = (await build({
		configFile: false,
		logLevel: "error",
		ssr: { noExternal: true, target: "webworker", resolve: { conditions } },
		build: {
			ssr: new URL("worker.ts", import.meta.url).pathname,
			write: false,
			rolldownOptions: {
				external: /^node:/,
				output: { codeSplitting: false },
				// The paths of our `tsconfig.json` lead to the sources of the plugin.
				tsconfig: false,
			},
		},
	})) as Rolldown.RolldownOutput;
	const [{ code, moduleIds }] = built.output;
	const packageUrls = moduleIds.filter((id) => /\/packages\/[^/]+\/dist\/index\.mjs$/.test(id));
	return { code, packageUrls };
}

/** The way out of the worker. Other hosts than these and loopback do not exist. */
async function leave(request: Request): Promise<object> {
	const { Response } = miniflare;
	const { hostname } = new URL(request.url);
	const host = hosts.find(({ name }) => name === hostname);
	if (!host && hostname !== "127.0.0.1") return new Response(null, { status: 502 });
	const agent = new Agent(host ? { connect: connectTo(host) } : {});
	try {
		const response = await fetchOnLoopback(request.url, {
			method: request.method,
			headers: Object.fromEntries(request.headers),
			body: request.method === "GET" ? null : await request.text(),
			redirect: "manual",
			dispatcher: agent,
		});
		const { status, headers } = response;
		return new Response(await response.text(), { status, headers: [...headers] });
	} catch {
		return new Response(null, { status: 502 });
	} finally {
		await agent.close();
	}
}

function connectTo({ name, port, certificate }: RedirectedHost): buildConnector.connector {
	const connect = buildConnector({ ca: certificate });
	return (options, callback) =>
		connect(
			{
				...options,
				hostname: "127.0.0.1",
				host: "127.0.0.1",
				port: String(port),
				servername: name,
			},
			callback,
		);
}
