import { runsInWorkers } from "../context/workers";
import { isPublicAddress } from "./public-hosts";

/** What is used of Node's modules. Bun and Deno have them too. */
interface Dns {
	promises: {
		lookup(name: string, options: { all: true }): Promise<{ address: string; family: number }[]>;
	};
}
interface Incoming extends AsyncIterable<Uint8Array> {
	statusCode?: number;
	rawHeaders: string[];
	destroy(): void;
}
interface Outgoing {
	on(event: "error", listener: (error: Error) => void): void;
	end(body: Uint8Array): void;
	destroy(): void;
}
interface Https {
	request(options: object, listener: (incoming: Incoming) => void): Outgoing;
}
interface Network {
	dns: Dns;
	https: Https;
}

/** @throws Error in a runtime where nothing can check what a name resolves to */
function requireNetwork(): Network {
	const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
	const dns = process?.getBuiltinModule?.("node:dns");
	const https = process?.getBuiltinModule?.("node:https");
	if (dns && https) return { dns, https } as Network;
	throw new Error(
		"tenantAuth: this runtime has no node:dns and node:https, so it cannot check that the provider of a tenant is a public server. Use Node.js, Bun, Deno or Cloudflare Workers. If nothing private can be reached from here, set allowPrivateProviderHosts.",
	);
}

/**
 * A `fetch` that connects to public IP addresses only.
 *
 * A tenant's admin chooses the name of the server and what it resolves to. So the name is resolved here,
 * every address is checked, and the connection goes to a checked address: `fetch` would resolve the name
 * a second time, and could get another answer. The name stays what the certificate is checked against.
 * Better Auth's providers use the global `fetch`, which has no option for this.
 */
export async function fetchFromPublicHost(
	original: typeof fetch,
	input: Parameters<typeof fetch>[0],
	init: RequestInit & { signal: AbortSignal },
): Promise<Response> {
	// By default, workerd itself connects to public addresses only, and `fetch` is the only way out.
	if (runsInWorkers()) return original(input, init);
	const network = requireNetwork();
	const request = new Request(input, init);
	const body = new Uint8Array(await request.arrayBuffer());
	let failure: unknown;
	for (const address of await resolveAddresses(network, new URL(request.url), init.signal)) {
		try {
			return await send(network, address, request, body, init.signal);
		} catch (error) {
			if (!isUnreachable(error)) throw error;
			failure = error;
		}
	}
	throw failure;
}

/** One address of each kind: the server may have only IPv4 or only IPv6. */
async function resolveAddresses(
	{ dns }: Network,
	{ protocol, hostname }: URL,
	signal: AbortSignal,
) {
	if (protocol !== "https:") throw notPublic();
	const name = hostname.replace(/^\[|\]$/g, "");
	const found = await orAbort(signal, dns.promises.lookup(name, { all: true }));
	// One private address is enough: a name has no reason for both.
	if (!found.every(({ address }) => isPublicAddress(address))) throw notPublic();
	return [4, 6].flatMap((kind) => found.find(({ family }) => family === kind)?.address ?? []);
}

const notPublic = () => new TypeError("The host is not public");

/** A resolver has no time limit of ours. */
function orAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(signal.reason);
		if (signal.aborted) abort();
		signal.addEventListener("abort", abort, { once: true });
		work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
	});
}

function send(
	{ https }: Network,
	address: string,
	{ method, url, headers }: Request,
	body: Uint8Array,
	signal: AbortSignal,
): Promise<Response> {
	const { host, hostname, port, pathname, search } = new URL(url);
	return new Promise((resolve, reject) => {
		const options = {
			host: address,
			port: port === "" ? 443 : Number(port),
			// An IP address is no server name. Its certificate is checked against the address.
			servername: /[[\]]|^[\d.]+$/.test(hostname) ? "" : hostname,
			path: pathname + search,
			method,
			headers: {
				...Object.fromEntries(headers),
				host,
				"accept-encoding": "identity",
				"content-length": body.byteLength,
			},
		};
		const outgoing = https.request(options, (incoming) => {
			try {
				resolve(toResponse(incoming));
			} catch (error) {
				incoming.destroy();
				reject(error);
			}
		});
		outgoing.on("error", reject);
		// Not the option `signal` of the request. Node would then destroy the socket with an error. If the
		// response has just ended, nobody listens for that error, and the process ends.
		const abort = () => {
			outgoing.destroy();
			reject(signal.reason);
		};
		if (signal.aborted) return abort();
		signal.addEventListener("abort", abort, { once: true });
		outgoing.end(body);
	});
}

/** Before anything was sent. */
const isUnreachable = (error: unknown): boolean =>
	error instanceof Error && "syscall" in error && error.syscall === "connect";

function toResponse(incoming: Incoming): Response {
	const { statusCode: status = 0, rawHeaders } = incoming;
	const headers = new Headers();
	for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
		headers.append(String(rawHeaders[at]), String(rawHeaders[at + 1]));
	}
	if ((headers.get("content-encoding") ?? "identity") !== "identity") {
		throw new TypeError("The server sent an encoded response");
	}
	const hasBody = ![204, 205, 304].includes(status);
	return new Response(hasBody ? toStream(incoming) : null, { status, headers });
}

/** Reads only as fast as the caller does. */
function toStream(incoming: Incoming): ReadableStream<Uint8Array> {
	const chunks = incoming[Symbol.asyncIterator]();
	return new ReadableStream({
		async pull(controller) {
			const { done, value } = await chunks.next();
			if (done) controller.close();
			else controller.enqueue(new Uint8Array(value));
		},
		cancel: () => incoming.destroy(),
	});
}
