import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { stopClock } from "../../../testing/stopped-clock";
import { clientIpHeader } from "../src/auth";
import { countedAddress, setClientIp } from "../src/http/client-ip";
import { readSettings } from "../src/settings/settings";
import { newIp, runningService } from "./running-service";

/** The IP address that Better Auth gets for a request from `socket`. */
async function clientIp(environment: Record<string, string>, socket: string, forwarded?: string) {
	const { trustedProxies } = readSettings(environment, "/");
	const app = new Hono<{ Bindings: HttpBindings }>();
	app.use(setClientIp(trustedProxies));
	app.get("/", (c) => c.text(c.req.header(clientIpHeader) ?? ""));
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
	["one proxy names the client", one, "10.1.1.1", "203.0.113.7", "203.0.113.7"],
	[
		"entries that the client adds are ignored",
		one,
		"10.1.1.1",
		"1.2.3.4, 203.0.113.7",
		"203.0.113.7",
	],
	["two proxies", two, "10.1.1.1", "1.2.3.4, 203.0.113.7, 10.9.9.9", "203.0.113.7"],
	["a request that bypasses the proxies", two, "203.0.113.7", undefined, "203.0.113.7"],
	["a proxy in the list", listed, "10.1.1.1", "1.2.3.4, 203.0.113.7", "203.0.113.7"],
	["several proxies in the list", listed, "192.0.2.1", "203.0.113.7, 10.2.3.4", "203.0.113.7"],
	["a proxy that is not in the list", listed, "198.51.100.1", "203.0.113.7", "198.51.100.1"],
	[
		"an IPv4 address on a dual-stack socket",
		listed,
		"::ffff:10.1.1.1",
		"203.0.113.7",
		"203.0.113.7",
	],
	["a port after the address", one, "10.1.1.1", "203.0.113.7:4711", "203.0.113.7"],
	["a header without an address", one, "10.1.1.1", "unknown", "10.1.1.1"],
	["a malformed header", listed, "10.1.1.1", ",, ,", "10.1.1.1"],
])("%s", async (_, environment, socket, forwarded, expected) => {
	expect(await clientIp(environment, socket, forwarded)).toBe(expected);
});

test("behind a proxy each client has its own rate limit, which no header bypasses", async () => {
	stopClock();
	const { post } = await runningService({ ...one, RATE_LIMIT_SIGN_IN: "3/60" });
	const attempt = async (forwarded: string) => {
		const body = { email: "a@b.co", password: "wrong password" };
		const headers = { "x-forwarded-for": forwarded };
		return (await post("/sign-in/email", body, headers, "10.255.0.1")).status;
	};
	const first = `203.0.113.${newIp().split(".")[3]}`;
	for (let i = 0; i < 3; i++) expect(await attempt(`198.51.100.${i}, ${first}`)).toBe(401);
	expect(await attempt(`198.51.100.9, ${first}`)).toBe(429);
	expect(await attempt("198.51.100.250")).toBe(401);
});

test("all addresses of a /64 are counted as one client", () => {
	const counted = ["2001:db8::1", "2001:db8::2:3", "2001:db8:0:1::1"].map(countedAddress);
	expect(new Set(counted).size).toBe(2);
	expect(counted[0]).toBe(counted[1]);
	expect(["192.0.2.1", ""].map(countedAddress)).toEqual(["192.0.2.1", ""]);
});
