import { once } from "node:events";
import { createServer, type RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { EMAIL, makeInstance, ORIGIN, PASSWORD } from "../support/worlds/instance";
import { packages } from "./code-blocks/documented-app";
import { runBlock } from "./code-blocks/run-block";

const page = "docs/frameworks.md";

type Send = (path: string, init?: RequestInit) => Promise<Response> | Response;
type Handler = (request: Request) => Promise<Response>;

/** An app with one tenant, and the modules that the blocks import. */
async function setUp() {
	const { auth, makeTenant } = await makeInstance();
	const { handler } = await runBlock<{ handler: Handler }>(page, "handler.ts", {
		...packages,
		"./auth.js": { auth },
	});
	const modules = {
		"./auth.js": { auth },
		"./handler.js": { handler },
		"../../handler.js": { handler },
	};
	return { tenantId: await makeTenant(), modules };
}

/** An address that a client wrote into the header itself. */
const WRITTEN = "203.0.113.9";

/** Signs up, and asks who is signed in. */
async function visit(send: Send, tenantId: string, me: string) {
	const headers = {
		"content-type": "application/json",
		origin: ORIGIN,
		"x-forwarded-for": WRITTEN,
	};
	const body = JSON.stringify({ tenantId, name: "Ada", email: EMAIL, password: PASSWORD });
	const signedUp = await send("/api/auth/tenant/sign-up/email", { method: "POST", headers, body });
	expect(signedUp.status).toBe(200);
	const [cookie = ""] = (signedUp.headers.getSetCookie()[0] ?? "").split(";");
	const { session } = (await signedUp.json()) as { session: { ipAddress: string } };
	const answer = await (await send(me, { headers: { cookie } })).json();
	return { answer, ipAddress: session.ipAddress };
}

it("the code for Hono serves sign-ups and sessions", async () => {
	const { tenantId, modules } = await setUp();
	type App = { request: (path: string, init?: RequestInit, env?: object) => Promise<Response> };
	const { app } = await runBlock<{ app: App }>(page, "hono.ts", modules);
	const env = { incoming: { socket: { remoteAddress: "192.0.2.7" } } };
	const send: Send = (path, init) => app.request(`${ORIGIN}${path}`, init, env);
	expect(await visit(send, tenantId, "/me")).toEqual({
		answer: { email: EMAIL, tenantId },
		ipAddress: "192.0.2.7",
	});
	expect((await send("/me")).status).toBe(401);
});

it("the code for Node serves sign-ups and sessions", async () => {
	const { tenantId, modules } = await setUp();
	const onFreePort = (listener: RequestListener) =>
		Object.assign(createServer(listener), {
			listen: function (this: Server) {
				return Server.prototype.listen.call(this, 0);
			},
		});
	const { server } = await runBlock<{ server: Server }>(page, "node.ts", {
		...modules,
		"node:http": { createServer: onFreePort },
	});
	onTestFinished(() => void server.close());
	if (!server.listening) await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const send: Send = (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
	const { answer, ipAddress } = await visit(send, tenantId, "/me");
	expect(answer).toEqual({ tenantId });
	expect(ipAddress).toContain("127.0.0.1");
});

it("the code for React Router serves sign-ups and sessions", async () => {
	const { tenantId, modules } = await setUp();
	type Route = (input: { request: Request }) => Promise<Response>;
	const file = "app/routes/api.auth.$.ts";
	const { loader, action } = await runBlock<{ loader: Route; action: Route }>(page, file, modules);
	const send: Send = (path, init) =>
		(init?.method === "POST" ? action : loader)({ request: new Request(ORIGIN + path, init) });
	const { answer } = await visit(send, tenantId, "/api/auth/get-session");
	expect(answer).toMatchObject({ session: { tenantId } });
});
