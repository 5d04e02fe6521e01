import { once } from "node:events";
import { createServer, type RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { EMAIL, makeInstance, ORIGIN, PASSWORD } from "../support/instance";
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

/** Signs up, and asks who is signed in. */
async function visit(send: Send, tenantId: string, me: string) {
	const headers = { "content-type": "application/json", origin: ORIGIN };
	const body = JSON.stringify({ tenantId, name: "Ada", email: EMAIL, password: PASSWORD });
	const signedUp = await send("/api/auth/tenant/sign-up/email", { method: "POST", headers, body });
	expect(signedUp.status).toBe(200);
	const [cookie = ""] = (signedUp.headers.getSetCookie()[0] ?? "").split(";");
	return (await send(me, { headers: { cookie } })).json();
}

it("the code for Hono serves sign-ups and sessions", async () => {
	const { tenantId, modules } = await setUp();
	const { app } = await runBlock<{ app: { request: Send } }>(page, "hono.ts", modules);
	const send: Send = (path, init) => app.request(`${ORIGIN}${path}`, init);
	expect(await visit(send, tenantId, "/me")).toEqual({ email: EMAIL, tenantId });
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
	expect(await visit(send, tenantId, "/me")).toEqual({ tenantId });
});

it("the code for React Router serves sign-ups and sessions", async () => {
	const { tenantId, modules } = await setUp();
	type Route = (input: { request: Request }) => Promise<Response>;
	const file = "app/routes/api.auth.$.ts";
	const { loader, action } = await runBlock<{ loader: Route; action: Route }>(page, file, modules);
	const send: Send = (path, init) =>
		(init?.method === "POST" ? action : loader)({ request: new Request(ORIGIN + path, init) });
	expect(await visit(send, tenantId, "/api/auth/get-session")).toMatchObject({
		session: { tenantId },
	});
});
