import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { stopClock } from "../../../testing/stopped-clock";
import { clientAddress, clientAddressHeader } from "../src/client-address";
import { readSettings } from "../src/settings";
import { newAddress, runningService } from "./running-service";

/** The address that Better Auth is told, for a request that came from `socket`. */
async function seenAs(environment: Record<string, string>, socket: string, forwarded?: string) {
	const { trustedProxies } = readSettings(environment, "/");
	const app = new Hono<{ Bindings: HttpBindings }>();
	app.use(clientAddress(trustedProxies));
	app.get("/", (c) => c.text(c.req.header(clientAddressHeader) ?? ""));
	const headers: Record<string, string> =
		forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
	const bindings = { incoming: { socket: { remoteAddress: socket } } } as HttpBindings;
	return (await app.request("/", { headers }, bindings)).text();
}

const one = { TRUST_PROXY: "1" };
const two = { TRUST_PROXY: "2" };
const listed = { TRUST_PROXY: "10.0.0.0/8, 2001:db8::/32, 192.0.2.1" };

test.each([
	["nothing is trusted by default", {}, "10.1.1.1", "203.0.113.7", "10.1.1.1"],
	["one proxy says who calls", one, "10.1.1.1", "203.0.113.7", "203.0.113.7"],
	["what the caller adds is left of that", one, "10.1.1.1", "1.2.3.4, 203.0.113.7", "203.0.113.7"],
	["two proxies", two, "10.1.1.1", "1.2.3.4, 203.0.113.7, 10.9.9.9", "203.0.113.7"],
	["a call past the proxies", two, "203.0.113.7", undefined, "203.0.113.7"],
	["a proxy in the list", listed, "10.1.1.1", "1.2.3.4, 203.0.113.7", "203.0.113.7"],
	["several in the list", listed, "192.0.2.1", "203.0.113.7, 10.2.3.4", "203.0.113.7"],
	["one that is not in the list", listed, "198.51.100.1", "203.0.113.7", "198.51.100.1"],
	["an address on a socket for both", listed, "::ffff:10.1.1.1", "203.0.113.7", "203.0.113.7"],
	["a port behind the address", one, "10.1.1.1", "203.0.113.7:4711", "203.0.113.7"],
	["no address at all", one, "10.1.1.1", "unknown", "10.1.1.1"],
	["a header of rubbish", listed, "10.1.1.1", ",, ,", "10.1.1.1"],
])("%s", async (_, environment, socket, forwarded, seen) => {
	expect(await seenAs(environment, socket, forwarded)).toBe(seen);
});

test("behind a proxy each caller has a limit of its own, which no header gets around", async () => {
	stopClock();
	const { post } = await runningService(one);
	const attempt = async (forwarded: string) => {
		const body = { email: "a@b.co", password: "wrong password" };
		const headers = { "x-forwarded-for": forwarded };
		return (await post("/sign-in/email", body, headers, "10.255.0.1")).status;
	};
	const first = `203.0.113.${newAddress().split(".")[3]}`;
	for (let i = 0; i < 3; i++) expect(await attempt(`198.51.100.${i}, ${first}`)).toBe(401);
	expect(await attempt(`198.51.100.9, ${first}`)).toBe(429);
	expect(await attempt("198.51.100.250")).toBe(401);
});
