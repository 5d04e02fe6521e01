import { jwt } from "better-auth/plugins";
import { expect } from "vitest";
import type { Answer } from "../../support/worlds/instance";
import { answers, type Outcome, type PluginMatrix } from "./matrix";

const payloadOf = ({ body }: Answer) =>
	JSON.parse(Buffer.from(String(body.token).split(".")[1] ?? "", "base64url").toString());

const speaksFor =
	(name: "a" | "b"): Outcome =>
	(answer, world) => {
		const { userId, tenantId } = world[name];
		expect(payloadOf(answer)).toMatchObject({ sub: userId, tenantId });
	};

const theKeySet = answers(() => ({ keys: [expect.objectContaining({ kid: expect.any(String) })] }));

export const jwtMatrix: PluginMatrix<{ jwt: string }> = {
	plugin: "jwt",
	options: () => ({ plugins: [jwt()] }),
	make: async ({ as }) => ({ jwt: (await as("/token")).body.token }),
	rows: {
		getJwks: [
			{
				tries: "reads the host's key set",
				call: () => ({ path: "/jwks" }),
				by: "anyone",
				ofHost: true,
				gets: theKeySet,
				own: theKeySet,
			},
		],
		getToken: [
			{
				tries: "asks for one, with A's user beside it",
				call: ({ a }) => ({ path: "/token", query: { userId: a.userId, sub: a.userId } }),
				by: "user",
				gets: speaksFor("b"),
				own: speaksFor("a"),
			},
		],
		signJWT: [
			{
				tries: "has the host sign a payload, which takes no tenant",
				call: () => ({ path: "signJWT", body: { payload: { sub: "nobody" } }, onServer: true }),
				by: "anyone",
				ofHost: true,
				gets: (answer) => expect(payloadOf(answer).sub).toBe("nobody"),
				own: (answer) => expect(payloadOf(answer).sub).toBe("nobody"),
			},
		],
		verifyJWT: [
			{
				// One key set serves all tenants: the claim tells whose a token is.
				tries: "has the host open A's",
				call: ({ a }) => ({ path: "verifyJWT", body: { token: a.jwt }, onServer: true }),
				by: "anyone",
				ofHost: true,
				gets: ({ body }, { a }) => expect(body.payload.tenantId).toBe(a.tenantId),
				own: ({ body }, { a }) => expect(body.payload.tenantId).toBe(a.tenantId),
				knows: ({ a }) => [a.userId, "Ada of a"],
			},
		],
	},
	core: {
		getSession: [
			{
				tries: "asks who it is",
				call: () => ({ path: "/get-session" }),
				by: "user",
				gets: ({ headers }, world) => speaksFor("b")(ofHeader(headers), world),
				otherwise: ({ headers }) => expect(headers.get("set-auth-jwt")).toBeNull(),
				own: ({ headers }, world) => speaksFor("a")(ofHeader(headers), world),
			},
		],
	},
};

const ofHeader = (headers: Headers): Answer => ({
	status: 200,
	headers,
	cookie: "",
	body: { token: headers.get("set-auth-jwt") },
});
