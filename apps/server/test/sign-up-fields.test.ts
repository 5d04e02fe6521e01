import { exportTenant, importTenant } from "better-auth-tenant/imports";
import { describe, expect, test, vi } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { untilHang } from "../../../testing/time-limits";
import { claimMapping } from "../src/openid-provider/applications/claim-mapping";
import {
	asManager,
	cookiesOf,
	newSlug,
	newTenant,
	newUser,
	runningService,
	useService,
} from "./running-service";

const shared = useService();

const company = { name: "company", label: "Company", type: "text", required: true };
const department = {
	...{ name: "department", label: "Department", type: "choice", required: false },
	choices: ["Sales", "Research"],
};
const newsletter = {
	...{ name: "newsletter", label: "I want the newsletter", type: "checkbox", required: false },
};
const fields = [company, department, newsletter];

type Json = Record<string, unknown>;

/** A new tenant with these fields, of a service that all tests share. */
async function withTenant(asked: object[] = fields, service = shared()) {
	const { post, call, backend } = await service;
	const tenantId = await newTenant(post, newSlug("acme"));
	const answerOf = async (response: Response) => ({
		status: response.status,
		body: (await response.json()) as Json,
	});
	const read = async (path: string, headers: Record<string, string> = asManager) =>
		answerOf(await call(`/api/auth${path}`, { headers }));
	const send = async (path: string, body: object, headers: Record<string, string> = asManager) =>
		answerOf(await post(path, body, headers));
	const set = (list: unknown, headers?: Record<string, string>) =>
		send("/tenant/sign-up-fields/set", { tenantId, fields: list }, headers);
	const named = { "x-tenant-id": tenantId };
	const signUp = (email: string, more: object = {}, path = "/tenant/sign-up/email") =>
		send(path, { ...newUser(email), ...more }, named);
	const answered = (email: string, answers: unknown, path?: string) =>
		signUp(email, { metadata: { signUp: answers } }, path);
	const users = async () => {
		const { body } = await read(`/tenant/user/list?tenantId=${tenantId}`);
		return body as unknown as { id: string; email: string }[];
	};
	const metadataOf = async (email: string) => {
		const userId = (await users()).find((user) => user.email === email)?.id ?? "";
		const { body } = await read(
			`/tenant/user-metadata/get?${new URLSearchParams({ tenantId, userId })}`,
		);
		return body.metadata;
	};
	expect((await set(asked)).status).toBe(200);
	return { tenantId, backend, post, read, send, set, named, signUp, answered, users, metadataOf };
}

describe("a sign-up in a tenant with fields of its own", () => {
	test.each(["/tenant/sign-up/email", "/sign-up/email"])(
		"stores the answers in the metadata of the user, at %s",
		async (path) => {
			const { answered, metadataOf } = await withTenant();
			const answers = { company: " Acme Inc ", department: "Sales", newsletter: false };
			const { status, body } = await answered("ada@acme.example", answers, path);
			expect([status, body]).toMatchObject([200, { user: { email: "ada@acme.example" } }]);
			expect(body.user).not.toHaveProperty("metadata");
			expect(await metadataOf("ada@acme.example")).toEqual({
				signUp: { company: "Acme Inc", department: "Sales", newsletter: false },
			});
		},
	);

	test("leaves out what is not required and was not filled in", async () => {
		const { answered, metadataOf } = await withTenant();
		const { status } = await answered("ada@acme.example", { company: "Acme", department: "" });
		expect(status).toBe(200);
		expect(await metadataOf("ada@acme.example")).toEqual({ signUp: { company: "Acme" } });
	});

	const refused: [string, unknown, string, string][] = [
		["a missing required field", {}, "SIGN_UP_FIELD_REQUIRED", "company"],
		["a required field of spaces", { company: "  " }, "SIGN_UP_FIELD_REQUIRED", "company"],
		["a required field that is null", { company: null }, "SIGN_UP_FIELD_REQUIRED", "company"],
		[
			...(["an unknown field", { company: "Acme", groups: ["admin"] }] as const),
			...(["SIGN_UP_FIELD_UNKNOWN", "groups"] as const),
		],
		["a number", { company: 7 }, "SIGN_UP_FIELD_INVALID", "company"],
		["a list", { company: ["Acme"] }, "SIGN_UP_FIELD_INVALID", "company"],
		["a text with a NUL", { company: "Ac\0me" }, "SIGN_UP_FIELD_INVALID", "company"],
		["half a character", { company: "\ud83d" }, "SIGN_UP_FIELD_INVALID", "company"],
		["a text that is too long", { company: "x".repeat(151) }, "SIGN_UP_FIELD_TOO_LONG", "company"],
		[
			...(["a choice that there is not", { company: "Acme", department: "Board" }] as const),
			...(["SIGN_UP_FIELD_INVALID", "department"] as const),
		],
		[
			...(["a checkbox with a text", { company: "Acme", newsletter: "yes" }] as const),
			...(["SIGN_UP_FIELD_INVALID", "newsletter"] as const),
		],
		["answers that are a list", ["Acme"], "SIGN_UP_FIELD_INVALID", "metadata.signUp"],
		["answers that are a text", "Acme", "SIGN_UP_FIELD_INVALID", "metadata.signUp"],
	];

	test.each(refused)("refuses %s, and creates nothing", async (_, answers, code, field) => {
		const { answered, users } = await withTenant();
		for (const path of ["/tenant/sign-up/email", "/sign-up/email"]) {
			const { status, body } = await answered("ada@acme.example", answers, path);
			expect([status, body]).toMatchObject([400, { code, field }]);
		}
		expect(await users()).toEqual([]);
	});

	test("refuses metadata that is not an answer, and creates nothing", async () => {
		const { signUp, users } = await withTenant([]);
		const given = [{ department: "Board" }, { signUp: {}, groups: [] }, '{"a":1}', ["x"], 7];
		for (const metadata of notEmpty(given)) {
			const { status, body } = await signUp("ada@acme.example", { metadata });
			expect([status, body.code]).toEqual([400, expect.stringMatching(/^SIGN_UP_FIELD_/)]);
		}
		expect(await users()).toEqual([]);
	});

	test("refuses a required checkbox that is not checked", async () => {
		const { answered, signUp } = await withTenant([{ ...newsletter, required: true }]);
		const needed = { code: "SIGN_UP_FIELD_REQUIRED", field: "newsletter" };
		expect((await answered("ada@acme.example", { newsletter: false })).body).toMatchObject(needed);
		expect((await signUp("ada@acme.example")).body).toMatchObject(needed);
		expect((await answered("ada@acme.example", { newsletter: true })).status).toBe(200);
	});

	test("does not tell by the fields whether an email is taken", async () => {
		const { answered } = await withTenant();
		await answered("ada@acme.example", { company: "Acme" });
		const taken = await answered("ada@acme.example", {});
		expect(taken).toEqual(await answered("eve@acme.example", {}));
	});

	test("does not change the metadata of the user who has the email", async () => {
		const { answered, metadataOf } = await withTenant();
		await answered("ada@acme.example", { company: "Acme" });
		expect((await answered("ada@acme.example", { company: "Globex" })).status).toBe(422);
		expect(await metadataOf("ada@acme.example")).toEqual({ signUp: { company: "Acme" } });
	});

	test("stores the longest answers to the most fields", async () => {
		const asked = Array.from({ length: 8 }, (_, index) => ({
			...company,
			name: `field${index}`.padEnd(40, "x"),
		}));
		const { answered, metadataOf } = await withTenant(asked);
		const answers = Object.fromEntries(asked.map(({ name }) => [name, "漢".repeat(150)]));
		expect((await answered("ada@acme.example", answers)).status).toBe(200);
		expect(await metadataOf("ada@acme.example")).toEqual({ signUp: answers });
	});

	test("needs no answers in another tenant", async () => {
		await withTenant();
		const other = await withTenant([]);
		expect((await other.signUp("ada@acme.example")).status).toBe(200);
		expect(await other.metadataOf("ada@acme.example")).toEqual({});
		const { body } = await other.answered("eve@acme.example", { company: "Acme" });
		expect(body).toMatchObject({ code: "SIGN_UP_FIELD_UNKNOWN", field: "company" });
	});

	test("asks somebody with an invitation too", async () => {
		const { tenantId, backend, send, metadataOf, named } = await withTenant();
		await send("/tenant/policy/update", { tenantId, signUp: { mode: "invite" } });
		const email = `grace@${newSlug("acme")}.example`;
		await send("/tenant/invitation/create", { tenantId, email, role: "admin" });
		const mail = await vi.waitFor(async () => {
			const sent = (await backend.mailer.outbox?.list())?.find(({ to }) => to === email);
			expect(sent).toBeDefined();
			return sent;
		}, untilHang);
		const invited = {
			...named,
			"x-invitation-token": /token=(\w+)/.exec(mail?.text ?? "")?.[1] ?? "",
		};
		const refused = await send("/tenant/sign-up/email", newUser(email), invited);
		expect(refused.body).toMatchObject({ code: "SIGN_UP_FIELD_REQUIRED", field: "company" });
		const metadata = { signUp: { company: "Acme" } };
		const accepted = await send("/tenant/sign-up/email", { ...newUser(email), metadata }, invited);
		expect([accepted.status, await metadataOf(email)]).toEqual([200, metadata]);
	});
});

describe("required fields", () => {
	test("lock out nobody whom management creates or imports", async () => {
		const { tenantId, send, users, metadataOf } = await withTenant();
		const created = { tenantId, name: "Ada", email: "ada@acme.example" };
		expect((await send("/tenant/user/create", created)).status).toBe(200);
		const list = [{ externalId: "1", name: "Grace", email: "grace@acme.example" }];
		expect((await send("/tenant/user/import", { tenantId, users: list })).status).toBe(200);
		expect((await users()).map(({ email }) => email).sort()).toEqual([
			...["ada@acme.example", "grace@acme.example"],
		]);
		expect(await metadataOf("ada@acme.example")).toEqual({});
	});

	test("that are new lock out nobody who has signed up before", async () => {
		const { set, signUp, send, named } = await withTenant([]);
		await signUp("ada@acme.example");
		await set(fields);
		const { email, password } = newUser("ada@acme.example");
		expect((await send("/tenant/sign-in/email", { email, password }, named)).status).toBe(200);
	});
});

describe("the fields of a tenant", () => {
	test("are shown to everybody who knows the tenant, in their order", async () => {
		const { read, named, tenantId } = await withTenant();
		expect(await read("/sign-up-fields/list", named)).toEqual({ status: 200, body: { fields } });
		expect((await read(`/tenant/sign-up-fields/get?tenantId=${tenantId}`)).body).toEqual({
			fields,
		});
		const other = await withTenant([]);
		expect((await read("/sign-up-fields/list", other.named)).body).toEqual({ fields: [] });
	});

	test("are those of no tenant for a request that names none", async () => {
		const { read } = await withTenant();
		const unnamed = await read("/sign-up-fields/list", {});
		expect([unnamed.status, unnamed.body.code]).toEqual([400, "TENANT_ID_REQUIRED"]);
		const unknown = await read("/sign-up-fields/list", { "x-tenant-id": "none" });
		expect([unknown.status, unknown.body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
	});

	test("are not shown for a suspended tenant, but to those who manage it", async () => {
		const { read, send, named, tenantId } = await withTenant();
		await send("/tenant/suspend", { tenantId });
		const shown = await read("/sign-up-fields/list", named);
		expect([shown.status, shown.body.code]).toEqual([403, "TENANT_SUSPENDED"]);
		expect((await read(`/tenant/sign-up-fields/get?tenantId=${tenantId}`)).status).toBe(200);
	});

	test("can be taken away, and the answers stay", async () => {
		const { set, answered, signUp, metadataOf } = await withTenant();
		await answered("ada@acme.example", { company: "Acme" });
		expect((await set([])).body).toEqual({ fields: [] });
		expect((await signUp("grace@acme.example")).status).toBe(200);
		expect(await metadataOf("ada@acme.example")).toEqual({ signUp: { company: "Acme" } });
	});

	const wrong: [string, unknown][] = [
		[
			"more than eight fields",
			Array.from({ length: 9 }, (_, i) => ({ ...company, name: `f${i}` })),
		],
		["two fields with one name", [company, { ...newsletter, name: "company" }]],
		["a name that starts with _", [{ ...company, name: "__proto__" }]],
		["a name with a dot", [{ ...company, name: "a.b" }]],
		["a label of spaces", [{ ...company, label: "  " }]],
		["a label of two lines", [{ ...company, label: "a\nb" }]],
		["a label that is too long", [{ ...company, label: "x".repeat(151) }]],
		["a type that there is not", [{ ...company, type: "file" }]],
		["a choice without choices", [{ ...department, choices: [] }]],
		["two equal choices", [{ ...department, choices: ["Sales", "Sales "] }]],
		["choices of a text", [{ ...company, choices: ["Acme"] }]],
		["no list", { company }],
	];

	test.each(wrong)("are refused with %s", async (_, list) => {
		const { set, read, named } = await withTenant([company]);
		const { status, body } = await set(list);
		expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
		expect((await read("/sign-up-fields/list", named)).body).toEqual({ fields: [company] });
	});

	test("are changed by admins of the tenant, and by nobody else", async () => {
		const { tenantId, post, set, signUp, send, read, users, named } = await withTenant([]);
		const other = await withTenant([]);
		await signUp("ada@acme.example");
		const [ada] = await users();
		const { email, password } = newUser("ada@acme.example");
		const session = await post("/tenant/sign-in/email", { email, password }, named);
		const asAda = { cookie: cookiesOf(session), origin: "http://localhost:3000" };
		expect((await set(fields, asAda)).status).toBe(403);
		expect((await set(fields, {})).status).toBe(401);
		const query = `?tenantId=${tenantId}`;
		expect((await read(`/tenant/sign-up-fields/get${query}`, asAda)).status).toBe(403);
		await send("/tenant/user/update", { tenantId, userId: ada?.id, role: "admin" });
		expect((await set(fields, asAda)).status).toBe(200);
		expect((await other.set(fields, asAda)).status).toBe(403);
		expect((await read("/sign-up-fields/list", other.named)).body).toEqual({ fields: [] });
		expect((await read(`/tenant/sign-up-fields/get${query}`, asAda)).body).toEqual({ fields });
	});

	test("are in the audit log by their names", async () => {
		const { read, tenantId } = await withTenant();
		const { body } = await read(`/tenant/audit/list?tenantId=${tenantId}`);
		expect(body).toContainEqual(
			expect.objectContaining({
				action: "policy:update",
				detail: { signUpFields: ["company", "department", "newsletter"] },
			}),
		);
	});

	test("move with the tenant, and end with it", async () => {
		const { tenantId, backend, send, read, named } = await withTenant();
		const target = await runningService();
		await importTenant(target.backend.auth, exportTenant(backend.auth, tenantId));
		await send("/tenant/delete", { tenantId });
		expect((await read("/sign-up-fields/list", named)).status).toBe(404);
		const url = `/api/auth/tenant/sign-up-fields/get?tenantId=${tenantId}`;
		expect(await (await target.call(url, { headers: asManager })).json()).toEqual({ fields });
	});
});

describe("claims from answers at sign-up", () => {
	test("never have a name by which apps decide what somebody may do", () => {
		const source = "user.metadata.signUp.company";
		for (const name of ["groups", "entitlements", "department", "organization"]) {
			expect(claimMapping.safeParse({ [name]: source }).success).toBe(false);
			expect(claimMapping.safeParse({ [name]: "user.metadata.signUp" }).success).toBe(false);
			expect(claimMapping.safeParse({ [name]: "user.metadata.signUps" }).success).toBe(true);
		}
		for (const name of ["app_company", "locale", "https://example.com/company"]) {
			expect(claimMapping.safeParse({ [name]: source }).success).toBe(true);
		}
	});
});
