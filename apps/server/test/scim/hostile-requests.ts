import { expect } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { RunningService } from "../running-service";
import { GROUP, PATCH, patch, person, type ScimTenant, scimTenant, USER } from "./scim-tenant";

const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const op = (value: object) => patch(value);

/** Requests of a client that is broken or means harm. `{id}` and `{group}` exist. */
export const HOSTILE: [method: string, path: string, body?: unknown][] = [
	["GET", "/Users/%00"],
	["GET", "/Users/%E0%A4%A"],
	["GET", `/Users/${"x".repeat(5000)}`],
	["GET", "/Users/..%2f..%2fapi"],
	["GET", "/Users//x"],
	["GET", "/Nothing"],
	["GET", "/Users?startIndex=9007199254740991"],
	["GET", "/Users?startIndex=-1&count=-1"],
	["GET", "/Users?startIndex=1e3"],
	["GET", "/Users?count=99999999999999999999"],
	["GET", "/Users?filter=userName"],
	["GET", "/Users?filter=userName%20eq%20%22%00%22"],
	["GET", "/Users?filter=userName%20eq%20%22%5Cu0000%22"],
	["GET", "/Users?filter=id%20eq%20%22%F0%9F%98%80%22"],
	["GET", "/Users?filter=emails.value%20eq%20%22%25%22"],
	["GET", "/Users?filter=password%20sw%20%22a%22"],
	["GET", `/Users?filter=${"(".repeat(3000)}`],
	["GET", "/Users?filter=a&filter=b"],
	["GET", "/Users?attributes=userName&excludedAttributes=userName"],
	["GET", "/Users?attributes=__proto__,constructor"],
	["GET", "/Groups?filter=displayName%20eq%201"],
	["GET", "/Schemas/nothing"],
	["POST", "/Users", "{"],
	["POST", "/Users", ""],
	["POST", "/Users", "null"],
	["POST", "/Users", "[]"],
	["POST", "/Users", deep(5000)],
	["POST", "/Users", { schemas: [USER] }],
	["POST", "/Users", person("nul@example.com", { displayName: "a\u0000b" })],
	["POST", "/Users", person("nul@example.com", { externalId: "\ud800" })],
	["POST", "/Users", person("a@b")],
	["POST", "/Users", person("role@example.com", { tenantRole: "owner", role: "owner" })],
	["POST", "/Users", person("id@example.com", { id: "x", tenantId: "x", disabledAt: 1 })],
	["POST", "/Users", { schemas: [USER], userName: "x".repeat(513), emails: [{ value: "x@y.de" }] }],
	["POST", "/Users", '{"__proto__":{"active":false},"schemas":[],"userName":"p@example.com"}'],
	["POST", "/Groups", { schemas: [GROUP], displayName: "x".repeat(100_000) }],
	["POST", "/Groups", { schemas: [GROUP], displayName: "x", externalId: "x".repeat(100_000) }],
	["POST", "/Groups", { schemas: [GROUP], displayName: "y", members: [{ value: "nobody" }] }],
	["POST", "/Groups", { schemas: [GROUP], displayName: "z", members: [{ value: "{group}" }] }],
	["PUT", "/Users/{id}", {}],
	["PUT", "/Users/nobody", person("nobody@example.com")],
	["PUT", "/Groups/{group}", { schemas: [GROUP], displayName: "x".repeat(70_000) }],
	["PATCH", "/Users/{id}", { schemas: [PATCH], Operations: [] }],
	["PATCH", "/Users/{id}", { schemas: [PATCH], Operations: "x" }],
	["PATCH", "/Users/{id}", op({ op: "remove", path: "userName" })],
	["PATCH", "/Users/{id}", op({ op: "remove", path: "emails" })],
	["PATCH", "/Users/{id}", op({ op: "replace", path: "active", value: "maybe" })],
	["PATCH", "/Users/{id}", op({ op: "replace", path: "__proto__.x", value: 1 })],
	["PATCH", "/Users/{id}", op({ op: "replace", path: 'emails[type eq "x"', value: 1 })],
	["PATCH", "/Users/{id}", op({ op: "replace", value: null })],
	["PATCH", "/Users/{id}", op({ op: "replace", path: `emails${" ".repeat(500_000)}x`, value: 1 })],
	["PATCH", "/Groups/{group}", op({ op: "add", path: `members[${" ".repeat(500_000)}x` })],
	["PATCH", "/Users/{id}", patch(...Array(20_000).fill({ op: "add", path: "title", value: "x" }))],
	[
		"PATCH",
		"/Users/{id}",
		`{"schemas":["${PATCH}"],"Operations":[{"op":"add","path":"emails","value":${deep(3000)}}]}`,
	],
	["PATCH", "/Groups/{group}", op({ op: "add", path: "members", value: [{ value: "nobody" }] })],
	[
		"PATCH",
		"/Groups/{group}",
		op({ op: "replace", path: "displayName", value: "x".repeat(70_000) }),
	],
	["PATCH", "/Groups/{group}", op({ op: "remove", path: 'members[value eq "' })],
	["DELETE", "/Users"],
	["DELETE", "/Users/nobody"],
	["TRACE2", "/Users"],
];

/** Sends them all. None may be an error of the server, and the tenant works as before. */
export async function hostileRequests(service: RunningService): Promise<void> {
	const { scim, users } = await scimTenant(service);
	const { id } = (await scim("POST", "/Users", person("ada@example.com"))).body;
	const group = (await scim("POST", "/Groups", { schemas: [GROUP], displayName: "Staff" })).body.id;
	for (const [method, path, body] of notEmpty(HOSTILE)) {
		const fill = (text: string) => text.replaceAll("{id}", id).replaceAll("{group}", group);
		const sent =
			body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
		const { status } = await scim(method, fill(path), sent === undefined ? undefined : fill(sent));
		const request = [method, path, sent?.slice(0, 100)];
		expect([request, status, status < 500]).toEqual([request, status, true]);
	}
	expect((await scim("GET", `/Users/${id}`)).body).toMatchObject({ userName: "ada@example.com" });
	const statuses = await growUser(id, scim);
	expect([statuses.at(-1), statuses.every((status) => status < 500)]).toEqual([400, true]);
	expect((await scim("GET", `/Users/${id}`)).status).toBe(200);
	expect((await users()).filter(({ tenantRole }) => tenantRole)).toEqual([]);
}

/** Gives a user as many and as long attributes as possible. */
async function growUser(id: string, scim: ScimTenant["scim"]): Promise<number[]> {
	const long = "ä".repeat(1000);
	const statuses: number[] = [];
	for (const path of ["addresses", "phoneNumbers", "roles", "entitlements"]) {
		const entry = (type: number) =>
			path === "addresses"
				? { type: `t${type}`, formatted: long, streetAddress: long, locality: long.slice(0, 250) }
				: { type: `t${type}`, value: long, ...(path === "phoneNumbers" ? {} : { display: long }) };
		const value = Array.from({ length: 10 }, (_, index) => entry(index));
		const { status } = await scim("PATCH", `/Users/${id}`, patch({ op: "add", path, value }));
		statuses.push(status);
	}
	return statuses;
}
