import type { HttpBindings } from "@hono/node-server";
import { onTestFinished } from "vitest";
import { createService } from "../src/service";
import { temporaryDirectory } from "./temporary-directory";

const managementKey = "management-key-for-tests";

let callers = 0;

/** An address nobody has called from yet: rate limits count per address. */
export const newAddress = () => `10.0.${callers >> 8}.${callers++ & 255}`;

/** The service on a database of its own, called in this process. */
export async function runningService({ baseUrl = "http://localhost:3000" } = {}) {
	const service = await createService({
		baseUrl,
		secret: "a secret for tests with 32 characters and more: 8dK2!x",
		managementKeys: [managementKey],
		dataDir: temporaryDirectory(),
		limitsRates: true,
	});
	onTestFinished(() => service.close());

	/** Calls the service as if from `address`. */
	const call = async (path: string, init: RequestInit = {}, address = newAddress()) => {
		const bindings = { incoming: { socket: { remoteAddress: address } } } as HttpBindings;
		return service.app.request(`${baseUrl}${path}`, init, bindings);
	};
	return { call, post: posting(call), ...service };
}

function posting(call: (path: string, init: RequestInit, address?: string) => Promise<Response>) {
	return (path: string, body: unknown, headers: Record<string, string> = {}, address?: string) => {
		const json = { "content-type": "application/json", ...headers };
		const text = typeof body === "string" ? body : JSON.stringify(body);
		return call(`/api/auth${path}`, { method: "POST", headers: json, body: text }, address);
	};
}

type Post = Awaited<ReturnType<typeof runningService>>["post"];

/** A new tenant's id. */
export async function newTenant(post: Post, slug = "acme"): Promise<string> {
	const key = { authorization: `Bearer ${managementKey}` };
	const response = await post("/tenant/create", { name: slug, slug }, key);
	const { id } = (await response.json()) as { id: string };
	return id;
}

export const newUser = (email: string) => ({
	name: "Ada",
	email,
	password: "correct horse battery",
});
